import { readManifest } from './package-manifest';

/**
 * The optional packages whose names begin with `prefix`, as arguments for `npm install`. The versions are those that
 * the service is tested with, because later ones may require a newer Node.
 */
export function peerPackages(prefix: string): string {
  return Object.entries(readManifest().peerDependencies)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, range]) => `${name}@${range}`)
    .join(' ');
}
