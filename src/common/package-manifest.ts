import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface PackageManifest {
  version: string;
  peerDependencies: Record<string, string>;
}

/** Reads `package.json`, which is next to `dist` or `src`, both in a checkout and in the image. */
export const readManifest = (): PackageManifest =>
  JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as PackageManifest;
