/**
 * Loaded into the service before it starts, to measure how long its event loop is blocked. When the parent sends a
 * message, it responds with the longest time since the last message, in milliseconds. If the message is `own`, it
 * subtracts the time for which the thread was ready to run but had no core, if the system reports that (Linux).
 */
const { closeSync, openSync, readSync } = require('node:fs');
const { performance } = require('node:perf_hooks');
const { setImmediate } = require('node:timers');
const { isMainThread } = require('node:worker_threads');

/**
 * How long the main thread has waited for a core so far, in milliseconds: the second number in its schedstat, which is
 * in nanoseconds.
 */
function waitedReader() {
  const path = `/proc/self/task/${process.pid}/schedstat`;
  try {
    closeSync(openSync(path));
  } catch {
    return () => 0;
  }
  const file = openSync(path);
  const bytes = Buffer.alloc(128);
  return () => Number(bytes.latin1Slice(0, readSync(file, bytes, 0, 128, 0)).split(' ')[1]) / 1e6;
}

if (isMainThread && process.channel) {
  const waited = waitedReader();
  let longest = 0;
  let longestOwn = 0;
  let last = performance.now();
  let lastWaited = waited();
  const measure = () => {
    const now = performance.now();
    const nowWaited = waited();
    longest = Math.max(longest, now - last);
    longestOwn = Math.max(longestOwn, now - last - (nowWaited - lastWaited));
    last = now;
    lastWaited = nowWaited;
  };
  const turn = () => {
    measure();
    setImmediate(turn).unref();
  };
  turn();
  process.on('message', (message) => {
    // The current iteration may be the one that is blocked.
    measure();
    process.send(message === 'own' ? longestOwn : longest);
    longest = 0;
    longestOwn = 0;
  });
  process.channel.unref();
}
