import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Located next to `dist` or `src`, both in a checkout and in the image. */
const MANIFEST = join(__dirname, '../../package.json');

/**
 * The optional packages whose names begin with `prefix`, as arguments for `npm install`. The versions are those that
 * the service is tested with, because later ones may require a newer Node.
 */
export function peerPackages(prefix: string): string {
  const { peerDependencies } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as {
    peerDependencies: Record<string, string>;
  };
  return Object.entries(peerDependencies)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, range]) => `${name}@${range}`)
    .join(' ');
}
