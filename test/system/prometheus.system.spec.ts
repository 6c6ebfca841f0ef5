import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { until } from '../support/private-servers';
import { describeWithPrometheus, PrivatePrometheus } from '../support/prometheus-server';

const JOB = 'relayer-management-service';
const DOCKER = join(__dirname, '../../docker');
const read = (path: string): string => readFileSync(join(DOCKER, path), 'utf8');

interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[];
}

interface Rule {
  name: string;
  health: string;
  lastError?: string;
}

/** What Grafana fills in. */
const queryOf = (expression: string): string =>
  expression.replaceAll('$job', JOB).replaceAll('$__rate_interval', '1m').replaceAll('$__range', '1h');

describeWithPrometheus('Prometheus', () => {
  describeService('with the configuration of the repository', { onlySqlite: true }, ({ service }) => {
    let prometheus: PrivatePrometheus;

    beforeAll(async () => {
      const configuration = read('prometheus/prometheus.yml')
        .replace('scrape_interval: 15s', 'scrape_interval: 1s\n  evaluation_interval: 1s')
        .replace('app:8080', new URL(service.url).host);
      const files = { 'prometheus.yml': configuration, 'alerts.yml': read('prometheus/alerts.yml') };
      prometheus = await PrivatePrometheus.create(files);
    });

    afterAll(() => prometheus.destroy());

    it('scrapes the service', async () => {
      const { id } = await addRelayer(service);
      const before = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };
      expect((await service.post(`/api/v1/relayers/${id}/sign-typed-data`, before)).status).toBe(200);
      await until('the signature', async () => {
        const [sample] = await prometheus.query(`sum(signatures_total{job="${JOB}",outcome="success"})`);
        return sample?.value[1] === '1';
      });
      expect((await prometheus.query(`up{job="${JOB}"}`)).map(({ value }) => value[1])).toEqual(['1']);
    });

    it('evaluates all alerts', async () => {
      const alerts = async (): Promise<Rule[]> => {
        const { groups } = await prometheus.api<{ groups: { rules: Rule[] }[] }>('rules?type=alert');
        return groups.flatMap(({ rules }) => rules);
      };
      await until('an evaluation', async () => (await alerts()).every(({ health }) => health !== 'unknown'));
      const expected = [...read('prometheus/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
      expect((await alerts()).map(({ name }) => name).sort()).toEqual(expected.sort());
      expect((await alerts()).filter(({ health }) => health !== 'ok')).toEqual([]);
    });

    it('evaluates all panels of the Grafana dashboard', async () => {
      const { panels } = JSON.parse(read('grafana/relayer.json')) as Dashboard;
      const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
      expect(expressions.length).toBeGreaterThan(40);
      for (const expression of expressions) await prometheus.query(queryOf(expression));
    });
  });
});
