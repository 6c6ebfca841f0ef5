import { RelayerClient } from '../../client/src/client';
import type { RelayerClientOptions } from '../../client/src/transport';
import type { TestApplication } from './application';

/** The client in `client/`, with the root key of a service unless the options specify a different authentication. */
export function clientOf(
  service: TestApplication,
  options: Omit<Partial<RelayerClientOptions>, 'url'> = {},
): RelayerClient {
  const hasProof = options.apiKey !== undefined || options.authentication !== undefined;
  const apiKey = service.config.apiKeys[0].reveal();
  return new RelayerClient({ url: service.url, ...(!hasProof && { apiKey }), ...options });
}

/** All items of a list. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const item of items) read.push(item);
  return read;
}
