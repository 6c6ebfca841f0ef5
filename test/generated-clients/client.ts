/** Calls through a client that was generated from the OpenAPI document; see check.sh. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { Api } from './api';

const HASHES = {
  domain_separator: '0xf2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f',
  hash_struct_message: '0xc52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e',
};

const client = new Api<string>({
  baseUrl: process.env.SERVICE_URL!,
  baseApiParams: { secure: true },
  securityWorker: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
});
client.setSecurityData(readFileSync(process.env.API_KEY_FILE!, 'utf8').trim());

async function main(): Promise<void> {
  const { data: page } = await client.api.listRelayers({ per_page: 5 });
  const [relayer] = page.data;
  assert.ok(relayer);
  const { data: signed } = await client.api.signTypedData(relayer.id, HASHES);
  assert.match(signed.data.sig, /^[0-9a-f]{130}$/);
  const failure = await client.api.getRelayer('missing').then(
    () => assert.fail(),
    (response: { error: { success: boolean; message: string } }) => response.error,
  );
  assert.deepEqual([failure.success, failure.message], [false, 'Relayer with ID missing not found']);
  console.log(`TypeScript: ${relayer.id} signed, a failure was read`);
}

void main();
