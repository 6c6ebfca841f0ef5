import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SETTINGS } from '../src/config/settings';

/**
 * Fixed by the image, which is for production; the container's own port is published under another one. The service
 * reaches the database of the compose file in a network of their own, without TLS.
 */
const FIXED = ['NODE_ENV', 'HOST', 'PORT', 'DATABASE_CA_FILE'];

describe('docker/compose.yaml', () => {
  const text = readFileSync(join(__dirname, '../docker/compose.yaml'), 'utf8');

  it.each(Object.keys(SETTINGS).filter((name) => !FIXED.includes(name)))(
    'passes %s to the service',
    (name) => {
      expect(text).toMatch(new RegExp(`^      ${name}: \\S`, 'm'));
    },
  );

  it('passes on variables that only the configuration file names, if there are any', () => {
    const { services } = parse(text) as { services: { app: { env_file?: unknown } } };
    expect(services.app.env_file).toEqual([{ path: 'config.env', required: false }]);
  });

  it('allows the service its longest shutdown before killing it', () => {
    const { services } = parse(text) as { services: { app: { stop_grace_period: string } } };
    const grace = /^(\d+)s$/.exec(services.app.stop_grace_period)?.[1];
    // 10 s for requests, 5 s for closing, and 1 s until the first of several processes stops the others.
    expect(Number(grace)).toBeGreaterThan(16);
  });
});
