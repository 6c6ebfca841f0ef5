import { Registry } from 'prom-client';
import type { UnitOfWork } from '../database/unit-of-work';
import { RelayerMetrics } from './relayer.metrics';

describe('RelayerMetrics', () => {
  it('counts once for all scrapes at about the same time', async () => {
    let counted = 0;
    const query: Record<string, () => unknown> = {};
    for (const step of ['select', 'addSelect', 'groupBy', 'addGroupBy']) query[step] = () => query;
    query.getRawMany = () => {
      counted += 1;
      return Promise.resolve([{ paused: 0, disabled: 0, reason: null, count: '7' }]);
    };
    const unitOfWork = { repository: () => ({ createQueryBuilder: () => query }) } as unknown as UnitOfWork;
    const registry = new Registry();
    new RelayerMetrics(registry, unitOfWork);
    const responses = await Promise.all(Array.from({ length: 20 }, () => registry.metrics()));
    responses.push(await registry.metrics());
    expect(counted).toBe(1);
    for (const response of responses) expect(response).toContain('relayers{state="enabled",reason=""} 7');
  });
});
