import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../src/config/settings';

/** Fixed by the image: the container's own port is published under another one. */
const FIXED = ['HOST', 'PORT'];

describe('docker/compose.yaml', () => {
  const text = readFileSync(join(__dirname, '../docker/compose.yaml'), 'utf8');

  it.each(Object.keys(SETTINGS).filter((name) => !FIXED.includes(name)))('passes %s on', (name) => {
    expect(text).toMatch(new RegExp(`^      ${name}: \\S`, 'm'));
  });
});
