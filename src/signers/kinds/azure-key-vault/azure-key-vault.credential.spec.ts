import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OutboundHttp } from '../../../outbound/outbound-http';
import { Secret } from '../../../common/secrets/secret';
import { AZURE_AUTH_TYPES } from './azure-key-vault.config';
import { azureCredential } from './azure-key-vault.credential';
import { loadAzureSdk } from './azure-key-vault.sdk';

const CLIENT = '7b1f0c50-46a2-4f6b-8a0e-0b6c5b3a9e21';
const KEY = { vault_url: 'https://my-vault.vault.azure.net', key_name: 'relayer' };

describe('azureCredential', () => {
  const environment = process.env;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'federated-'));
    await writeFile(join(folder, 'token'), 'header.federated.signature');
    process.env = {
      ...environment,
      AZURE_AUTHORITY_HOST: 'https://login.evil.example',
      AZURE_CLIENT_ID: CLIENT,
      AZURE_TENANT_ID: 'tenant',
      AZURE_FEDERATED_TOKEN_FILE: join(folder, 'token'),
    };
  });

  afterAll(async () => {
    process.env = environment;
    await rm(folder, { recursive: true });
  });

  it.each(AZURE_AUTH_TYPES)(
    'of type %s sends nothing to an AZURE_AUTHORITY_HOST that Microsoft does not know',
    async (auth_type) => {
      const urls: string[] = [];
      const respond = ({ url }: { url: string }) => {
        urls.push(url);
        return Promise.resolve({
          status: 400,
          headers: {},
          body: Buffer.from('{"error":"invalid_instance"}'),
        });
      };
      const http = { get: respond, post: respond } as unknown as OutboundHttp;
      const settings = { ...KEY, auth_type, tenant_id: 'tenant', client_id: CLIENT };
      const credential = azureCredential(await loadAzureSdk(), settings, new Secret('s3cret'), { http });
      await expect(credential.getToken('https://vault.azure.net/.default')).rejects.toMatchObject({
        reason: 'refused',
      });
      expect(urls.map((url) => new URL(url).host)).toEqual(['login.microsoftonline.com']);
    },
  );
});
