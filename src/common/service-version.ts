import { readManifest } from './package-manifest';

/** The version of the service in `package.json` (Semantic Versioning 2.0.0). */
export const SERVICE_VERSION: string = readManifest().version;

/** The commit that the service was built from; empty if the image was built without it. */
export const serviceCommit = (): string => process.env.SERVICE_COMMIT ?? '';
