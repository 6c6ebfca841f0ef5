/** Prints what was measured, for people and for machines. */
const { mkdirSync, writeFileSync } = require('node:fs');
const { cpus, totalmem } = require('node:os');
const { join } = require('node:path');

const FOLDER = join(__dirname, '../build/bench');

const machine = () => ({
  processor: cpus()[0]?.model,
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  platform: `${process.platform}-${process.arch}`,
  at: new Date().toISOString(),
});

/** Rows of equal keys as aligned columns, numbers to the right. */
function printTable(rows) {
  const names = Object.keys(rows[0]);
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => String(row[name]).length)));
  const line = (cells) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ');
  console.log(`\n${line(names)}`);
  for (const row of rows) console.log(line(names.map((name) => String(row[name]))));
}

const both = ({ best, median }, digits = 0) => `${best.toFixed(digits)} / ${median.toFixed(digits)}`;

/** One line of the table for a subject; each figure is `best / median` of the rounds. */
function rowOf(place, figures, ceiling) {
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

/** CPU time per request of the bare server over that of a subject. */
function ratioTo({ cpuMicroseconds }, ceiling) {
  return {
    best: ceiling.cpuMicroseconds.best / cpuMicroseconds.best,
    median: ceiling.cpuMicroseconds.median / cpuMicroseconds.median,
  };
}

function writeJson(name, content) {
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, `${name}.json`);
  writeFileSync(file, `${JSON.stringify({ machine: machine(), ...content }, null, 2)}\n`);
  console.log(`\nwritten to ${file}`);
}

module.exports = { printTable, rowOf, ratioTo, both, writeJson, machine };
