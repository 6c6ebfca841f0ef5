// The image has neither curl nor wget.
const { readFileSync } = require('node:fs');
const { get } = require('node:http');
const { parseEnv } = require('node:util');

const TIMEOUT_MS = 2000;
const REACHED_AT = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '::1' };

const file = readFile();
const configured = setting('HOST');
const host = REACHED_AT[configured] ?? configured;
const port = Number(setting('PORT') || 8080);

/** As in the service, `.env` in the working directory has the settings that are absent or blank in the environment. */
function setting(name) {
  return (process.env[name] ?? '').trim() || (file[name] ?? '').trim();
}

function readFile() {
  try {
    return parseEnv(
      readFileSync('.env', 'utf8')
        .replace(/^\uFEFF/, '')
        .replaceAll('\r', ''),
    );
  } catch {
    // Usually there is none.
    return {};
  }
}

function end(fault) {
  if (fault) console.error(fault);
  process.exit(fault ? 1 : 0);
}

setTimeout(() => end(`no response within ${TIMEOUT_MS} ms`), TIMEOUT_MS);
get({ host, port, path: '/v1/health' }, ({ statusCode }) =>
  end(statusCode === 200 ? undefined : `status ${statusCode}`),
).on('error', (error) => end(error.message));
