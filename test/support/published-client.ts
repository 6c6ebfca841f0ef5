import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The client that is published for the API with which this one is compatible. It is not a dependency of this project, whose licence
 * differs: `.ci/run` installs it beside the project.
 */
const FOLDER = join(__dirname, '../../build/tools/client/node_modules/@openzeppelin/relayer-sdk');

type Reply = Promise<{ status: number; data: { data: unknown; pagination?: unknown } }>;

/** What tests call of it. */
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

/** Its API for relayers, as it calls a service. */
export async function publishedApi(basePath: string, accessToken: string): Promise<PublishedApi> {
  const { Configuration, RelayersApi } = (await import(FOLDER)) as Package;
  return new RelayersApi(new Configuration({ basePath, accessToken }));
}

/** A suite that is skipped where the client is not installed; with TEST_REQUIRE_SERVERS it must be. */
export function describeWithPublishedClient(title: string, suite: () => void): void {
  const isRequired = process.env.TEST_REQUIRE_SERVERS === '1';
  (existsSync(FOLDER) || isRequired ? describe : describe.skip)(title, suite);
}
