import type { IncomingMessage } from 'node:http';

/**
 * How many headers of a name there are. Node keeps the first of some, such as `Authorization` and `Host`; only the raw list shows the
 * others.
 *
 * @param name in lower case
 */
export function headerCount({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const raw = rawHeaders[i];
    if (raw?.length === name.length && raw.toLowerCase() === name) count += 1;
  }
  return count;
}
