import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The published client for the API that this one is compatible with. It is not a dependency of this project, because
 * its licence differs; `.ci/run` installs it beside the project.
 */
const FOLDER = join(__dirname, '../../build/tools/client/node_modules/@openzeppelin/relayer-sdk');

type Reply = Promise<{ status: number; data: { data: unknown; pagination?: unknown } }>;

/** The methods that tests call. */
export interface PublishedApi {
  sendTransaction: (relayer: string, body: object) => Reply;
  getTransactionById: (relayer: string, id: string) => Reply;
  getTransactionByNonce: (relayer: string, nonce: number) => Reply;
  listTransactions: (relayer: string, page: number, perPage: number) => Reply;
  replaceTransaction: (relayer: string, id: string, body: object) => Reply;
  cancelTransaction: (relayer: string, id: string) => Reply;
}

interface Package {
  Configuration: new (options: { basePath: string; accessToken: string }) => object;
  RelayersApi: new (configuration: object) => PublishedApi;
}

/** The published client's API for relayers, configured for a service. */
export async function publishedApi(basePath: string, accessToken: string): Promise<PublishedApi> {
  const { Configuration, RelayersApi } = (await import(FOLDER)) as Package;
  return new RelayersApi(new Configuration({ basePath, accessToken }));
}

/**
 * Declares a suite that is skipped if the client is not installed. With TEST_REQUIRE_SERVERS the client is required.
 */
export function describeWithPublishedClient(title: string, suite: () => void): void {
  const isRequired = process.env.TEST_REQUIRE_SERVERS === '1';
  (existsSync(FOLDER) || isRequired ? describe : describe.skip)(title, suite);
}
