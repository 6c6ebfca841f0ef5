/** Compares memory after many signatures with memory after few. */
import { load, type Target } from './load';
import { printTable, writeJson } from './report';
import { BATCH_SUBJECT } from './subjects';

const MARKS = [10_000, 100_000, 250_000, 500_000, 750_000, 1_000_000];

export async function soak(service: Target): Promise<void> {
  const rows: { signatures: number; rss: number; signaturesPerSecond: number }[] = [];
  let signed = 0;
  for (const mark of MARKS) {
    const amount = (mark - signed) / BATCH_SUBJECT.signatures;
    const { rss, signaturesPerSecond } = await load(service, BATCH_SUBJECT, { amount });
    signed = mark;
    rows.push({ signatures: mark, rss, signaturesPerSecond });
  }
  const [first, last] = [rows[0]!, rows.at(-1)!];
  printTable(
    rows.map(({ signatures, rss, signaturesPerSecond }) => ({
      signatures: String(signatures),
      'RSS MiB': rss.toFixed(0),
      'of the first': (rss / first.rss).toFixed(2),
      'signatures/s': signaturesPerSecond.toFixed(0),
    })),
  );
  writeJson('soak', { rows, ratio: last.rss / first.rss });
}
