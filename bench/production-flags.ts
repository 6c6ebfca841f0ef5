import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  scripts: { 'start:prod': string };
}

/** The options of Node with which a checkout is started in production. @param folder the folder of the checkout */
export function productionFlags(folder: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  // Checkouts before 1.0.0 have no `exec`.
  const [, ...words] = scripts['start:prod'].replace(/^exec /, '').split(' ');
  return words.slice(0, -1);
}
