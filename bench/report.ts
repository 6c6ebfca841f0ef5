/** Prints measurements, for people and for machines. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Figures, Summary } from './rounds';

const FOLDER = join(__dirname, '../build/bench');

export const machine = (): Record<string, string | number | undefined> => ({
  processor: cpus()[0]?.model,
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  platform: `${process.platform}-${process.arch}`,
  at: new Date().toISOString(),
});

export type Row = Record<string, string | number | undefined>;

/** Prints rows with equal keys as aligned columns, with numbers aligned to the right. */
export function printTable(rows: Row[]): void {
  const names = Object.keys(rows[0] ?? {});
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => String(row[name]).length)));
  const line = (cells: string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ');
  console.log(`\n${line(names)}`);
  for (const row of rows) console.log(line(names.map((name) => String(row[name]))));
}

export const both = ({ best, median }: Summary, digits = 0): string =>
  `${best.toFixed(digits)} / ${median.toFixed(digits)}`;

/** One line of the table for a subject. Each figure is `best / median` of the rounds. */
export function rowOf(place: string, figures: Figures, ceiling: Figures): Row {
  return {
    subject: place,
    'CPU µs/request': both(figures.cpuMicroseconds),
    'of bare': both(ratioTo(figures, ceiling), 3),
    'requests/s': both(figures.requestsPerSecond),
    'signatures/s': both(figures.signaturesPerSecond),
    'p50 ms': both(figures.p50),
    'p99 ms': both(figures.p99),
    'RSS MiB': both(figures.rss),
  };
}

/** CPU time per request of the bare server relative to that of a subject. */
export function ratioTo({ cpuMicroseconds }: Figures, ceiling: Figures): Summary {
  return {
    best: ceiling.cpuMicroseconds.best / cpuMicroseconds.best,
    median: ceiling.cpuMicroseconds.median / cpuMicroseconds.median,
  };
}

export function writeJson(name: string, content: object): void {
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, `${name}.json`);
  writeFileSync(file, `${JSON.stringify({ machine: machine(), ...content }, null, 2)}\n`);
  console.log(`\nwritten to ${file}`);
}
