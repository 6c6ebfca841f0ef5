import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A limit as shown in the reference. */
export interface Limit {
  /** The value with its unit, for example `256 KiB`. */
  value: string;
  text: string;
}

/** A doc comment that ends with `@limit <area>`, and the constant or property behind it. */
const MARKED =
  /\/\*\*((?:(?!\*\/)[^])*?)@limit ([^*\n]+?)\s*\*\/\s*(?:export )?(?:const )?(\w+)(?:: \w+)?(?: =|:) ([^;,]+)[;,]/g;

/**
 * The limits that the sources of a folder mark with `@limit <area>` in the doc comment of a constant, by area.
 *
 * @throws Error if the value of a marked constant is not a product of integers and constants of its file
 */
export function limitsOf(folder: string): [string, Limit[]][] {
  const areas = new Map<string, Limit[]>();
  for (const file of sourcesIn(folder)) {
    const source = readFileSync(file, 'utf8');
    for (const [, comment = '', area = '', name = '', expression = ''] of source.matchAll(MARKED)) {
      const limit = { value: withUnit(name, evaluate(expression, source)), text: textOf(comment) };
      areas.set(area, [...(areas.get(area) ?? []), limit]);
    }
  }
  return [...areas].sort(([a], [b]) => (a < b ? -1 : 1));
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .sort()
    .map((file) => join(folder, file));
}

function evaluate(expression: string, source: string): number {
  return expression.split('*').reduce((product, factor) => {
    const text = factor.trim();
    if (/^[\d_]+$/.test(text)) return product * Number(text.replaceAll('_', ''));
    const [, definition] = new RegExp(`const ${text}(?:: \\w+)? = ([^;]+);`).exec(source) ?? [];
    if (definition === undefined) throw new Error(`The limit ${expression} cannot be evaluated`);
    return product * evaluate(definition, source);
  }, 1);
}

/** The unit is derived from the end of the name: `MAX_BODY_BYTES`, `timeoutMs`, `LOCK_TIMEOUT_SECONDS`. */
function withUnit(name: string, value: number): string {
  if (/bytes$/i.test(name)) return scaled(value, 1024, ['bytes', 'KiB', 'MiB']);
  if (/(_MS|Ms)$/.test(name)) return value < 1000 ? `${value} ms` : seconds(value / 1000);
  if (name.endsWith('_SECONDS')) return seconds(value);
  if (name.endsWith('_PERCENT')) return `${value} %`;
  return grouped(value);
}

const DAY_SECONDS = 86_400;
const seconds = (value: number): string =>
  value % DAY_SECONDS === 0 ? `${grouped(value / DAY_SECONDS)} days` : scaled(value, 60, ['s', 'min']);

function scaled(value: number, step: number, [unit = '', ...larger]: string[]): string {
  return larger.length > 0 && value % step === 0
    ? scaled(value / step, step, larger)
    : `${grouped(value)} ${unit}`;
}

const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ' ');

const textOf = (comment: string): string =>
  comment
    .replace(/^\s*\*/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
