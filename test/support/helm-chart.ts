/** The chart in docker/helm, rendered by Helm if it is installed, otherwise by {@link GoTemplates}. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { GoTemplates } from './go-template';
import type { Manifest } from './manifests';

export const CHART = join(__dirname, '../../docker/helm/relayer');
export const hasHelm = spawnSync('helm', ['version']).status === 0;

type Values = Record<string, unknown>;

const read = (file: string): string => readFileSync(join(CHART, file), 'utf8');

export const defaultValues = (): Values => parse(read('values.yaml')) as Values;
export const valuesSchema = (): object => JSON.parse(read('values.schema.json')) as object;

/** The objects of a release `relay` in the namespace `money`. @param values merged into those of the chart */
export function renderChart(values: Values): Manifest[] {
  const text = hasHelm ? byHelm(values) : byTemplates(values);
  return parseAllDocuments(text)
    .map((document) => {
      if (document.errors[0]) throw document.errors[0];
      return document.toJS() as Manifest | null;
    })
    .filter((manifest) => manifest !== null);
}

/** The output of `helm template`, except for the order of files. */
export function byTemplates(values: Values): string {
  const chart = parse(read('Chart.yaml')) as Record<string, string>;
  const data = {
    Values: merged(defaultValues(), values),
    Release: { Name: 'relay', Namespace: 'money', Service: 'Helm' },
    Chart: { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
  };
  const templates = new GoTemplates();
  templates.render(read('templates/_helpers.tpl'), data);
  const files = readdirSync(join(CHART, 'templates')).filter((file) => !file.startsWith('_'));
  const texts = files.map((file) => [file, templates.render(read(`templates/${file}`), data)] as const);
  return texts
    .filter(([file]) => file.endsWith('.yaml'))
    .map(([file, text]) => `---\n# Source: ${file}\n${text}\n`)
    .join('');
}

function byHelm(values: Values): string {
  const folder = mkdtempSync(join(tmpdir(), 'relayer-helm-'));
  try {
    const file = join(folder, 'values.json');
    writeFileSync(file, JSON.stringify(values));
    return execFileSync('helm', ['template', 'relay', CHART, '--namespace', 'money', '--values', file], {
      encoding: 'utf8',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function merged(base: Values, changes: Values): Values {
  const members = Object.entries(changes).map(([name, value]) => {
    const before = base[name];
    return [name, isMap(before) && isMap(value) ? merged(before, value) : value];
  });
  return { ...base, ...(Object.fromEntries(members) as Values) };
}

const isMap = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
