/** A process of a cluster that listens, and does what the primary orders it to. */
const { spawn } = require('node:child_process');
const cluster = require('node:cluster');
const { writeFileSync } = require('node:fs');
const { createServer } = require('node:net');
const { setInterval } = require('node:timers');

const METRICS = [
  {
    name: 'answers',
    help: 'Processes that answered',
    type: 'gauge',
    aggregator: 'sum',
    values: [{ value: 1, labels: {} }],
  },
];

const orders = {
  /** Asks the primary, and closes the channel before it can answer; `closed` is written once it is closed. */
  askAndLeave({ closed }) {
    process.once('exit', () => writeFileSync(closed, ''));
    process.send({ ask: 'exposition', id: 1 });
    process.disconnect();
  },
  /** Closes the channel and lives on. */
  disconnect() {
    setInterval(() => undefined, 1000);
    cluster.worker.exitedAfterDisconnect = true;
    process.disconnect();
  },
  /** Keeps the channel open for `seconds` after its own end; `lent` is written once that is certain. */
  lendChannel({ seconds, lent }) {
    const holder = spawn('sleep', [String(seconds)], {
      stdio: ['ignore', 'ignore', 'ignore', process.channel.fd],
    });
    holder.once('spawn', () => writeFileSync(lent, ''));
  },
  /** Asks the primary for the metrics of the whole service, and hands them over. */
  scrape() {
    process.send({ ask: 'exposition', id: 2 });
  },
};

process.on('message', (message) => {
  if (message.ask === 'metrics') process.send({ answerTo: message.id, answer: METRICS });
  else if (message.order) orders[message.order](message);
  else if (message.answerTo === 2) process.send({ scraped: message.answer });
});
createServer().listen(0, '127.0.0.1');
