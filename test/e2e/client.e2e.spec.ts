import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import { Transaction, verifyMessage, verifyTypedData, Wallet } from 'ethers';
import { privateKeyToAccount } from 'viem/accounts';
import {
  ApprovalPendingError,
  BadRequestError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  TooManyRequestsError,
  UnauthorizedError,
} from '../../client/src/errors';
import type { RelayerClient } from '../../client/src/client';
import { RelayerSigner } from '../../client/src/ethers';
import type { Relayer } from '../../client/src/relayer';
import { importPrivateKey, signedRequests } from '../../client/src/signed-requests';
import { toRelayerAccount } from '../../client/src/viem';
import { verifyWebhook } from '../../client/src/webhooks';
import { all, clientOf } from '../support/client';
import { describeService } from '../support/describe-service';
import { Receiver } from '../support/receiver';
import { until } from '../support/private-servers';

const CHAIN_ID = 424_242;
const SIGNING_KEY = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const DOMAIN = { name: 'Shop', version: '1', chainId: CHAIN_ID };
const TYPES = {
  Order: [
    { name: 'maker', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'note', type: 'bytes' },
  ],
};
const ORDER = { maker: `0x${'35'.repeat(20)}`, amount: 2n ** 255n, note: '0x1234' } as const;
const TRANSFER = { ...{ chainId: CHAIN_ID, nonce: 7, to: ORDER.maker, value: 10n ** 19n, type: 2 } };
const FEES = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };

const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

describeService('The client', { settings: { APPROVALS: 'unpause=1' } }, ({ service }) => {
  const privateKey = `0x${randomBytes(32).toString('hex')}` as const;
  const wallet = new Wallet(privateKey);
  let client: RelayerClient;
  let relayer: Relayer;

  beforeAll(async () => {
    client = clientOf(service);
    service.keepSecret(privateKey.slice(2));
    const network = { name: 'client-net', network_type: 'evm', chain_id: CHAIN_ID } as const;
    await client.post('/api/v1/networks', { body: network });
    const signer = { id: 'client-signer', type: 'plain', config: { key: privateKey.slice(2) } } as const;
    await client.post('/api/v1/signers', { body: signer });
    const { id } = await client.post('/api/v1/relayers', {
      body: {
        ...{ id: 'client-relayer', name: 'Client', network: 'client-net', network_type: 'evm' },
        ...{ signer_id: 'client-signer', paused: true },
      },
    });
    relayer = client.relayer(id);
    await resume();
  });

  /** Requests the resumption of the relayer, and approves it with another key. @returns the error of the request */
  const resume = async (): Promise<unknown> => {
    const path = { relayer_id: relayer.id };
    const error: unknown = await client
      .patch('/api/v1/relayers/{relayer_id}', { path, body: { paused: false } })
      .catch((reason: unknown) => reason);
    const key = await client.post('/api/v1/api-keys', { body: { name: 'Other', scopes: ['approve'] } });
    const other = clientOf(service, { apiKey: service.keepSecret(key.key!) });
    const { id } = (error as ApprovalPendingError).change;
    await other.post('/api/v1/changes/{change_id}/approve', { path: { change_id: id } });
    return error;
  };

  it('reads and updates a relayer', async () => {
    expect(await relayer.get()).toMatchObject({ address: wallet.address, name: 'Client', paused: false });
    const path = { relayer_id: relayer.id };
    const body = { name: 'Renamed', policies: { gas_price_cap: 2n ** 100n } };
    expect(await client.patch('/api/v1/relayers/{relayer_id}', { path, body })).toMatchObject({
      name: 'Renamed',
      policies: { gas_price_cap: (2n ** 100n).toString() },
    });
  });

  it('reads lists by cursor and by page', async () => {
    const ids = Array.from({ length: 7 }, (_, i) => `listed-${i}`);
    for (const id of ids)
      await client.post('/api/v1/notifications', { body: { id, url: 'https://hooks.example.com' } });
    const query = { per_page: 3 };
    const byCursor = await all(client.list('/api/v1/notifications', { query }));
    expect(byCursor.map(({ id }) => id)).toEqual(ids);
    const pages = await all(client.pages('/api/v1/notifications', { query }));
    expect(pages.map(({ items, page, total }) => [items.length, page, total])).toEqual([
      [3, 1, 7],
      [3, 2, 7],
      [1, 3, 7],
    ]);
    expect(pages.flatMap(({ items }) => items)).toEqual(byCursor);
    const path = { notification_id: 'listed-0' };
    expect(await all(client.list('/api/v1/notifications/{notification_id}/deliveries', { path }))).toEqual(
      [],
    );
    for (const id of ids)
      await client.delete('/api/v1/notifications/{notification_id}', { path: { notification_id: id } });
    expect(await all(client.list('/api/v1/notifications'))).toEqual([]);
  });

  it('throws a distinct error for each kind of failure', async () => {
    await expect(client.relayer('nobody').get()).rejects.toThrow(NotFoundError);
    await expect(client.relayer('nobody').get()).rejects.toMatchObject({
      summary: 'Relayer with ID nobody not found',
      requestId: expect.stringMatching(/./),
    });
    const hashes = { domain_separator: 'ab', hash_struct_message: 'cd'.repeat(32) };
    await expect(relayer.signTypedData(hashes)).rejects.toThrow(BadRequestError);
    const network = { name: 'client-net', network_type: 'evm', chain_id: CHAIN_ID } as const;
    await expect(client.post('/api/v1/networks', { body: network })).rejects.toThrow(ConflictError);
    await expect(
      clientOf(service, { apiKey: 'x'.repeat(40) })
        .relayer('x')
        .get(),
    ).rejects.toThrow(UnauthorizedError);
  });

  it('throws ApprovalPendingError if a change waits for approval', async () => {
    const path = { relayer_id: relayer.id };
    await client.patch('/api/v1/relayers/{relayer_id}', { path, body: { paused: true } });
    await expect(relayer.signMessage('x')).rejects.toThrow(ForbiddenError);
    expect(await resume()).toBeInstanceOf(ApprovalPendingError);
    expect(await relayer.get()).toMatchObject({ paused: false });
  });

  it.each(['ed25519', 'P-256'])('signs its requests with %s', async (kind) => {
    const pair =
      kind === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: kind });
    const public_key = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const { id } = await client.post('/api/v1/api-keys', {
      body: { name: 'Signs', scopes: ['relayers:read', 'sign:messages'], public_key },
    });
    const authentication = signedRequests(id, await importPrivateKey(pemOf(pair.privateKey)));
    const signing = clientOf(service, { authentication });
    expect((await all(signing.list('/api/v1/relayers'))).map((each) => each.id)).toEqual([relayer.id]);
    const { sig } = await signing.relayer(relayer.id).signMessage('Zürich');
    expect(verifyMessage('Zürich', `0x${sig}`)).toBe(wallet.address);
    // Its key lacks the scope; the signature, with the idempotency key, is accepted.
    await expect(signing.relayer(relayer.id).sendTransaction({ value: 1n })).rejects.toThrow(ForbiddenError);
    const theirs = signedRequests(
      id,
      await importPrivateKey(pemOf(generateKeyPairSync('ed25519').privateKey)),
    );
    await expect(clientOf(service, { authentication: theirs }).relayer('x').get()).rejects.toThrow(
      UnauthorizedError,
    );
  });

  it('waits for its allowance if it is used up', async () => {
    const rate_limit = { requests_per_second: 2, burst: 2 };
    const body = { name: 'Slow', scopes: ['relayers:read'], rate_limit };
    const { key } = await client.post('/api/v1/api-keys', {
      body: body as typeof body & { scopes: ['relayers:read'] },
    });
    const apiKey = service.keepSecret(key!);
    const hasty = clientOf(service, { apiKey, retries: { attempts: 1 } }).relayer(relayer.id);
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => hasty.get()));
    const refused = results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(TooManyRequestsError);
      expect((reason as TooManyRequestsError).retryAfterMs).toBeGreaterThan(0);
    }
    const patient = clientOf(service, { apiKey, retries: { attempts: 20 } }).relayer(relayer.id);
    for (let i = 0; i < 4; i += 1) expect(await patient.get()).toMatchObject({ id: relayer.id });
  });

  it('verifies webhooks', async () => {
    const receiver = await Receiver.start();
    const notification_id = 'client-hook';
    await client.post('/api/v1/notifications', {
      body: { id: notification_id, url: receiver.url, signing_key: service.keepSecret(SIGNING_KEY) },
    });
    await client.post('/api/v1/notifications/{notification_id}/test', { path: { notification_id } });
    await until('the event', () => receiver.received.length > 0);
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    expect(await verifyWebhook({ headers, body }, SIGNING_KEY)).toMatchObject({
      event: 'test',
      payload: { payload_type: 'test' },
    });
    await receiver.close();
  });

  describe('as a viem account', () => {
    const local = privateKeyToAccount(privateKey);

    it('creates the same signatures as the key itself', async () => {
      const account = await toRelayerAccount(relayer);
      expect(account.address).toBe(local.address);
      for (const message of [
        'Zürich',
        '0x1234',
        { raw: '0x00ff' },
        { raw: new Uint8Array([0, 255]) },
      ] as const)
        expect(await account.signMessage({ message })).toBe(await local.signMessage({ message }));
      const data = { domain: DOMAIN, types: TYPES, primaryType: 'Order', message: ORDER } as const;
      expect(await account.signTypedData(data)).toBe(await local.signTypedData(data));
      const transaction = { ...TRANSFER, ...FEES, type: 'eip1559', gas: 21_000n } as const;
      expect(await account.signTransaction(transaction)).toBe(await local.signTransaction(transaction));
      const legacy = { ...TRANSFER, type: 'legacy', gasPrice: 10n ** 9n, gas: 21_000n } as const;
      expect(await account.signTransaction(legacy)).toBe(await local.signTransaction(legacy));
    });
  });

  describe('as an ethers signer', () => {
    it('creates the same signatures as the key itself', async () => {
      const signer = await RelayerSigner.create(relayer);
      expect(await signer.getAddress()).toBe(wallet.address);
      for (const message of ['Zürich', '0x1234', new Uint8Array([0, 255])])
        expect(await signer.signMessage(message)).toBe(await wallet.signMessage(message));
      const signature = await signer.signTypedData(DOMAIN, TYPES, ORDER);
      expect(signature).toBe(await wallet.signTypedData(DOMAIN, TYPES, ORDER));
      expect(verifyTypedData(DOMAIN, TYPES, ORDER, signature)).toBe(wallet.address);
      for (const transaction of [
        { ...TRANSFER, ...FEES, gasLimit: 21_000 },
        { ...TRANSFER, type: 0, gasPrice: 1_000_000_000, gasLimit: 21_000, data: '0x1234' },
      ]) {
        const signed = await signer.signTransaction(transaction);
        expect(signed).toBe(await wallet.signTransaction(transaction));
        expect(Transaction.from(signed).from).toBe(wallet.address);
      }
    });

    it('refuses to sign for another account, and to send without a provider', async () => {
      const signer = await RelayerSigner.create(relayer);
      const transfer = { ...TRANSFER, ...FEES, gasLimit: 21_000, from: ORDER.maker };
      await expect(signer.signTransaction(transfer)).rejects.toThrow('from is not the address');
      await expect(signer.sendTransaction({ to: ORDER.maker })).rejects.toThrow('a provider is needed');
    });
  });
});
