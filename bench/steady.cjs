/** Load at a steady rate. autocannon sends what a second allows in one burst at its beginning. */
const { performance } = require('node:perf_hooks');
const { Pool } = require('undici');
const { CONNECTIONS } = require('./load.cjs');

/**
 * Sends a subject's requests evenly spread over time, whether or not earlier ones were answered.
 *
 * @returns p50 and p99 in milliseconds, each request from the moment at which it was due
 * @throws Error when any request fails
 */
async function steadyLoad(target, subject, { duration, rate }) {
  const pool = new Pool(target.url, { connections: CONNECTIONS });
  const requests = subject.requests(target);
  const total = Math.round(duration * rate);
  const start = performance.now();
  const pending = [];
  const ask = async (number) => {
    const due = start + (number / rate) * 1000;
    const answer = await pool.request({ ...requests[number % requests.length], headers: target.headers });
    await answer.body.arrayBuffer();
    if (answer.statusCode !== 200) throw new Error(`${subject.name}: ${answer.statusCode}`);
    return performance.now() - due;
  };
  while (pending.length < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - start) / 1000) * rate));
    while (pending.length < due) pending.push(ask(pending.length));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const latencies = (await Promise.all(pending)).sort((a, b) => a - b);
  await pool.close();
  return { p50: latencies[Math.floor(total * 0.5)], p99: latencies[Math.floor(total * 0.99)] };
}

module.exports = { steadyLoad };
