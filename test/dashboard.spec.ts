import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkWithPromtool, describeWithPromtool } from './support/promtool';

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { h: number; w: number; x: number; y: number };
  targets?: { expr: string }[];
}

const read = (path: string): string => readFileSync(join(__dirname, '..', path), 'utf8');

const OF_THE_PROCESS = /^(?:nodejs|process)_/;
const FUNCTIONS = new Set(['histogram_quantile', 'label_values']);

describe('docker/grafana/relayer.json', () => {
  const dashboard = JSON.parse(read('docker/grafana/relayer.json')) as { uid: string; panels: Panel[] };
  const panels = dashboard.panels.filter(({ type }) => type !== 'row');
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

  it('uses metrics and labels that exist', () => {
    const reference = read('docs/reference/metrics.md');
    const labels = new Map(
      [...reference.matchAll(/\*\*`(\w+)`\*\* \(\w+(?:; ([^)]*))?\)/g)].map(([, name = '', list = '']) => [
        name,
        new Set([...list.matchAll(/`(\w+)`/g)].map(([, label = '']) => label)),
      ]),
    );
    const unknown: string[] = [];
    for (const expression of expressions) {
      const by = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */));
      const matched = [...expression.matchAll(/[{,](\w+)[!=]~?=?"/g)].map(([, label = '']) => label);
      const bare = expression.replaceAll(/\bby \([^)]*\)|\{[^}]*\}|\[[^\]]*\]/g, '');
      const names = (bare.match(/\b[a-z]\w*\b/g) ?? []).filter(
        (name) => name.includes('_') || labels.has(name),
      );
      const metrics = names.filter((name) => !FUNCTIONS.has(name) && !OF_THE_PROCESS.test(name));
      for (const name of metrics) {
        const metric = name.replace(/_(?:bucket|count|sum)$/, '');
        const known = labels.get(metric);
        if (!known) unknown.push(name);
        else
          for (const label of [...by, ...matched])
            if (!known.has(label) && !['le', 'job', 'instance'].includes(label))
              unknown.push(`${metric} has no label ${label}`);
      }
    }
    expect(expressions.length).toBeGreaterThan(40);
    expect(unknown).toEqual([]);
  });

  it('has panels that do not overlap, each with a unique id and a query', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const taken = new Set<string>();
    for (const { title, gridPos, targets } of panels) {
      expect([title, targets?.length]).not.toEqual([title, 0]);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect([title, x < 24, taken.has(`${x},${y}`)]).toEqual([title, true, false]);
          taken.add(`${x},${y}`);
        }
    }
  });

  it('is at the path that docker/compose.yaml mounts, and uses the provisioned data source', () => {
    const compose = read('docker/compose.yaml');
    expect(compose).toContain('./grafana/relayer.json:/etc/grafana/dashboards/relayer.json:ro');
    expect(compose).toContain('./grafana/provisioning:/etc/grafana/provisioning:ro');
    expect(read('docker/grafana/provisioning/dashboards/relayer.yaml')).toContain(
      'path: /etc/grafana/dashboards',
    );
    expect(read('docker/grafana/provisioning/datasources/prometheus.yaml')).toContain(
      'http://prometheus:9090',
    );
  });

  describeWithPromtool('promtool', () => {
    it('accepts every query', () => {
      const folder = mkdtempSync(join(tmpdir(), 'relayer-dashboard-'));
      const file = join(folder, 'rules.yml');
      try {
        // The values that Grafana substitutes for its variables.
        const rules = expressions.map((expression, i) => ({
          record: `query_${i}`,
          expr: expression.replaceAll('$__rate_interval', '1m').replaceAll('$job', '.*'),
        }));
        writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
        expect(checkWithPromtool(['check', 'rules', file])).toBe('');
        writeFileSync(
          file,
          JSON.stringify({ groups: [{ name: 'wrong', rules: [{ record: 'x', expr: 'sum(' }] }] }),
        );
        expect(checkWithPromtool(['check', 'rules', file])).not.toBe('');
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });
});
