/** A process of a cluster that listens, and follows the orders of the primary. */
import { spawn } from 'node:child_process';
import cluster from 'node:cluster';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';

const METRICS = [
  {
    name: 'answers',
    help: 'Processes that responded',
    type: 'gauge',
    aggregator: 'sum',
    values: [{ value: 1, labels: {} }],
  },
];

/** A message from the primary of a test: an order, or the response to a call of this process. */
type Message = Order | { call: 'metrics'; id: number } | { responseTo: number; response: unknown };

type Order =
  | { order: 'askAndLeave'; closed: string }
  | { order: 'lendChannel'; seconds: number; lent: string }
  | { order: 'disconnect' | 'scrape' };

function obey(message: Order): void {
  switch (message.order) {
    // Calls the primary, and closes the channel before it can respond. `closed` is written once the channel is closed.
    case 'askAndLeave': {
      const { closed } = message;
      process.once('exit', () => {
        writeFileSync(closed, '');
      });
      process.send?.({ call: 'exposition', id: 1 });
      process.disconnect();
      return;
    }
    // Closes the channel and continues to run.
    case 'disconnect':
      setInterval(() => undefined, 1000);
      cluster.worker!.exitedAfterDisconnect = true;
      process.disconnect();
      return;
    // Keeps the channel open for `seconds` after this process has ended. `lent` is written once that is certain.
    case 'lendChannel': {
      const { seconds, lent } = message;
      const { fd } = process.channel as unknown as { fd: number };
      const holder = spawn('sleep', [String(seconds)], { stdio: ['ignore', 'ignore', 'ignore', fd] });
      holder.once('spawn', () => {
        writeFileSync(lent, '');
      });
      return;
    }
    // Requests the metrics of the whole service from the primary, and passes them on.
    case 'scrape':
      process.send?.({ call: 'exposition', id: 2 });
  }
}

process.on('message', (message: Message) => {
  if ('call' in message) process.send?.({ responseTo: message.id, response: METRICS });
  else if ('order' in message) obey(message);
  else if (message.responseTo === 2) process.send?.({ scraped: message.response });
});
/** Tells its clients which process serves them. */
const server = createServer((socket) => socket.end(String(process.pid)));
if (!process.argv.includes('never-listens')) server.listen(0, '127.0.0.1');
