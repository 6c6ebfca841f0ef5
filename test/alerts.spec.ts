import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (path: string): string => readFileSync(join(__dirname, '..', path), 'utf8');

/** Metrics of the process, which the reference does not list individually. */
const OF_THE_PROCESS = /^(?:nodejs|process)_/;

const FUNCTIONS = new Set(['histogram_quantile', 'last_over_time', 'max_over_time']);

describe('docker/prometheus/alerts.yml', () => {
  const rules = read('docker/prometheus/alerts.yml');
  const expressions = [...rules.matchAll(/^\s+expr: (.*)$/gm)].map(([, expression = '']) => expression);
  const alerts = [...rules.matchAll(/^\s+- alert: (\w+)$/gm)].map(([, name = '']) => name);

  it('uses metrics that exist', () => {
    const reference = read('docs/reference/metrics.md');
    const known = new Set([...reference.matchAll(/\*\*`(\w+)`\*\*/g)].map(([, name = '']) => name));
    const used = expressions
      .map((expression) => expression.replaceAll(/\bby \([^)]*\)|\{[^}]*\}/g, ''))
      .flatMap((expression) => expression.match(/\b[a-z]\w*_\w+\b/g) ?? [])
      .filter((name) => !FUNCTIONS.has(name) && !OF_THE_PROCESS.test(name))
      .map((name) => name.replace(/_(?:bucket|count|sum)$/, ''));
    expect(used.length).toBeGreaterThan(20);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });

  it.each(alerts)('%s has a runbook section and two tests', (name) => {
    expect(rules).toContain(`runbook: docs/operations/alerts.md#${name.toLowerCase()}`);
    expect(read('docs/operations/alerts.md')).toMatch(new RegExp(`^### ${name}\n\n\\S`, 'm'));
    const tests = read('docker/prometheus/alerts.test.yml');
    expect(tests).toContain(`- name: ${name} fires`);
    expect(tests).toContain(`- name: ${name} stays quiet`);
  });
});
