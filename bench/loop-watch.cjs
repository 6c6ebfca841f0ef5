/**
 * Loaded into the service before it starts: measures how long it holds its event loop. Told anything by its parent, it
 * answers with the milliseconds of the longest hold since it was told last.
 */
const { performance } = require('node:perf_hooks');
const { setImmediate } = require('node:timers');
const { isMainThread } = require('node:worker_threads');

if (isMainThread && process.channel) {
  let longest = 0;
  let last = performance.now();
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    setImmediate(turn).unref();
  };
  turn();
  process.on('message', () => {
    // The turn that was held last may not have come round yet.
    const now = performance.now();
    process.send(Math.max(longest, now - last));
    longest = 0;
    last = now;
  });
  process.channel.unref();
}
