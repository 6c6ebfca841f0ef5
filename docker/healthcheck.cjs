// The image has neither curl nor wget.
const { get } = require('node:http');

const TIMEOUT_MS = 2000;
const REACHED_AT = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '::1' };

const configured = (process.env.HOST ?? '').trim();
const host = REACHED_AT[configured] ?? configured;
const port = Number((process.env.PORT ?? '').trim() || 8080);

function end(fault) {
  if (fault) console.error(fault);
  process.exit(fault ? 1 : 0);
}

setTimeout(() => end(`no response within ${TIMEOUT_MS} ms`), TIMEOUT_MS);
get({ host, port, path: '/v1/health' }, ({ statusCode }) =>
  end(statusCode === 200 ? undefined : `status ${statusCode}`),
).on('error', (error) => end(error.message));
