import { describeService } from './support/describe-service';
import { checkWithPromtool, describeWithPromtool } from './support/promtool';

describeWithPromtool('promtool check metrics', () => {
  describeService(
    'on a scrape',
    { onlySqlite: true, settings: { METRICS_RELAYER_BALANCES: 'on' } },
    ({ service }) => {
      it('finds no fault', async () => {
        await service.get('/api/v1/relayers');
        const { text } = await service.get('/debug/metrics/scrape');
        expect(text).toContain('# TYPE http_requests_total counter');
        expect(checkWithPromtool(['check', 'metrics'], text)).toBe('');
      });

      it('detects a gauge that is named like a counter', () => {
        const gauge = '# HELP wrong_total Wrong.\n# TYPE wrong_total gauge\nwrong_total 1\n';
        expect(checkWithPromtool(['check', 'metrics'], gauge)).toContain('wrong_total');
      });
    },
  );
});
