/** Memory after many signatures against memory after few. */
const { load } = require('./load.cjs');
const { printTable, writeJson } = require('./report.cjs');
const { BATCH_SUBJECT } = require('./subjects.cjs');

const MARKS = [10_000, 100_000, 250_000, 500_000, 750_000, 1_000_000];

async function soak(service) {
  const rows = [];
  let signed = 0;
  for (const mark of MARKS) {
    const amount = (mark - signed) / BATCH_SUBJECT.signatures;
    const { rss, signaturesPerSecond } = await load(service, BATCH_SUBJECT, { amount });
    signed = mark;
    rows.push({ signatures: mark, rss, signaturesPerSecond });
  }
  const [first] = rows;
  printTable(
    rows.map(({ signatures, rss, signaturesPerSecond }) => ({
      signatures: String(signatures),
      'RSS MiB': rss.toFixed(0),
      'of the first': (rss / first.rss).toFixed(2),
      'signatures/s': signaturesPerSecond.toFixed(0),
    })),
  );
  writeJson('soak', { rows, ratio: rows.at(-1).rss / first.rss });
}

module.exports = { soak };
