import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Located next to `dist` or `src`, both in a checkout and in the image. */
const MANIFEST = join(__dirname, '../../package.json');

/** The version of the service in `package.json` (Semantic Versioning 2.0.0). */
export const SERVICE_VERSION: string = (JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string })
  .version;

/** The commit that the service was built from; empty if the image was built without it. */
export const serviceCommit = (): string => process.env.SERVICE_COMMIT ?? '';
