import { Contract, JsonRpcProvider, makeError, type TransactionReceipt } from 'ethers';
import { failure, type Outcome, scriptedFetch, success } from '../../test/support/scripted-fetch';
import { RelayerClient } from './client';
import { TransactionAcceptedError, WaitTimeoutError } from './errors';
import { RelayerSigner } from './ethers';

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const RECEIVER = '0x3535353535353535353535353535353535353535';
const RELAYER = success({ id: 'demo', address: ADDRESS, network: 'sepolia', network_type: 'evm' });
const NO_RIGHT = failure(403);

const transaction = (more: object): Outcome =>
  success({ id: 't-1', status: 'sent', status_reason: null, revert_reason: null, ...more });
const ACCEPTED = transaction({ status: 'pending' });
const SIGNED = {
  ...{ hash: `0x${'12'.repeat(32)}`, nonce: 0, from: ADDRESS, to: RECEIVER, value: '1', data: null },
  ...{ gas_limit: 21_000, gas_price: '7', max_fee_per_gas: null, max_priority_fee_per_gas: null },
  signature: { r: '11'.repeat(32), s: '22'.repeat(32), v: 27 },
};
const SENT = transaction(SIGNED);
const SENT_WITH_TIP = transaction({
  ...SIGNED,
  ...{ gas_price: null, max_fee_per_gas: '7', max_priority_fee_per_gas: '1' },
});
const CONFIRMED = transaction({ status: 'confirmed', hash: `0x${'12'.repeat(32)}` });

const AUTHORIZATION = {
  ...{ address: RECEIVER, nonce: 0, chainId: 1 },
  signature: { r: `0x${'11'.repeat(32)}`, s: `0x${'22'.repeat(32)}`, yParity: 0 as const },
};

describe('RelayerSigner.sendTransaction', () => {
  const provider = new JsonRpcProvider('http://127.0.0.1:9', 11_155_111, { staticNetwork: true });
  afterAll(() => {
    provider.destroy();
  });

  /** A signer, once its relayer has been read, whose next responses are those of a transaction. */
  async function signerOf(...outcomes: Outcome[]) {
    const { fetch, requests } = scriptedFetch(RELAYER, RELAYER, NO_RIGHT, ...outcomes);
    const client = new RelayerClient({
      ...{ url: 'https://relayer.example.com', apiKey: 'key' },
      ...{ fetch, retries: { attempts: 1 } },
    });
    return { signer: await RelayerSigner.create(client.relayer('demo'), provider), requests };
  }

  const keyIn = (requests: { method: string; headers: Headers }[]): unknown =>
    requests.find(({ method }) => method === 'POST')?.headers.get('idempotency-key');

  it('sends the idempotency key of customData, so that code may repeat it', async () => {
    const { signer, requests } = await signerOf(ACCEPTED, SENT);
    const request = { to: RECEIVER, value: 1n, customData: { idempotencyKey: 'order-42' } };
    expect(await signer.sendTransaction(request)).toMatchObject({ id: 't-1' });
    expect(keyIn(requests)).toBe('order-42');
  });

  it('creates a new key for each transaction without one', async () => {
    const { signer, requests } = await signerOf(ACCEPTED, SENT);
    await signer.sendTransaction({ to: RECEIVER, value: 1n });
    expect(keyIn(requests)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([7, '', null])('refuses %j as idempotency key before anything is sent', async (idempotencyKey) => {
    const { signer, requests } = await signerOf(ACCEPTED, SENT);
    const sent = signer.sendTransaction({ to: RECEIVER, customData: { idempotencyKey } });
    await expect(sent).rejects.toThrow('not an idempotency key');
    expect(keyIn(requests)).toBeUndefined();
  });

  it.each([
    { blobs: ['0x00'] },
    { blobVersionedHashes: [`0x01${'00'.repeat(31)}`] },
    { maxFeePerBlobGas: '1' },
  ])('refuses blobs, which would not be sent: %j', async (fields) => {
    const { signer, requests } = await signerOf(ACCEPTED, SENT);
    const sent = signer.sendTransaction({ to: RECEIVER, value: 1n, ...fields });
    await expect(sent).rejects.toThrow('the service does not send blobs');
    expect(keyIn(requests)).toBeUndefined();
  });

  it.each<[string, Outcome[]]>([
    ['the API key may not read transactions', [NO_RIGHT]],
    ['the transaction is replaced before it is signed', [transaction({ hash: null, signature: null })]],
  ])('names the transaction that was accepted if %s', async (_case, outcomes) => {
    const { signer } = await signerOf(ACCEPTED, ...outcomes);
    const error: unknown = await signer
      .sendTransaction({ to: RECEIVER, value: 1n })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TransactionAcceptedError);
    expect(error).toMatchObject({ transactionId: 't-1', cause: expect.any(Error) });
  });

  it('rethrows the error of a refused request unchanged', async () => {
    const { signer } = await signerOf(failure(400));
    await expect(signer.sendTransaction({ to: RECEIVER, value: 1n })).rejects.toMatchObject({ status: 400 });
  });

  it('waits for the call of a contract through higher fees, which ethers does not', async () => {
    const mined = { hash: `0x${'34'.repeat(32)}` };
    const receipt = {} as TransactionReceipt;
    const waited = jest.spyOn(provider, 'waitForTransaction').mockResolvedValue(receipt);
    const { signer } = await signerOf(ACCEPTED, SENT, transaction({ status: 'confirmed', ...mined }));
    const sending = signer.connect(provider);
    const token = new Contract(RECEIVER, ['function transfer(address to, uint256 value)'], sending);
    const call = (await token.getFunction('transfer').send(ADDRESS, 1n)) as { hash: string };
    expect(await signer.wait(call, 2)).toBe(receipt);
    expect(waited).toHaveBeenCalledWith(mined.hash, 2, expect.any(Number));
    await expect(signer.wait(mined)).rejects.toThrow(
      new TypeError(`This signer does not know the transaction ${mined.hash}`),
    );
    waited.mockRestore();
  });

  it.each([
    [undefined, 598_000],
    [0, 598_000],
    [5000, 3000],
    [1000, 1],
    [Infinity, 2_147_483_647],
  ])('gives the provider what is left of a time limit of %s ms', async (timeout, rest) => {
    const waited = jest.spyOn(provider, 'waitForTransaction').mockResolvedValue({} as TransactionReceipt);
    const { signer } = await signerOf(ACCEPTED, SENT, CONFIRMED);
    const response = await signer.sendTransaction({ to: RECEIVER, value: 1n });
    const clock = jest.spyOn(performance, 'now').mockReturnValueOnce(1000).mockReturnValue(3000);
    try {
      await response.wait(1, timeout);
      expect(waited).toHaveBeenCalledWith(response.hash, 1, rest);
    } finally {
      clock.mockRestore();
      waited.mockRestore();
    }
  });

  it('ends with WaitTimeoutError if the provider does not return the receipt', async () => {
    const timeout = makeError('timeout', 'TIMEOUT', { operation: 'wait', reason: 'timeout' });
    const waited = jest.spyOn(provider, 'waitForTransaction').mockRejectedValue(timeout);
    const { signer } = await signerOf(ACCEPTED, SENT, CONFIRMED);
    const response = await signer.sendTransaction({ to: RECEIVER, value: 1n });
    const error: unknown = await response.wait(2).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect(error).toMatchObject({
      message: 'Transaction t-1 is not known to the provider (confirmations: 2) but confirmed',
      transaction: { id: 't-1', status: 'confirmed' },
    });
    waited.mockRestore();
  });

  it.each([
    [{}, 0],
    [{ gasPrice: 7n, accessList: [{ address: RECEIVER, storageKeys: [] }] }, 1],
    [{ gasPrice: 7n, accessList: [] }, 1],
    [{ accessList: { [RECEIVER]: [] } }, 1],
    [{ type: 0, accessList: null }, 0],
  ])('has the type that the service signs for %j at a gas price: %d', async (fields, type) => {
    const { signer } = await signerOf(ACCEPTED, SENT);
    const response = await signer.sendTransaction({ to: RECEIVER, value: 1n, ...fields });
    expect(response.type).toBe(type);
  });

  it.each([
    [{}, 2],
    [{ type: 2 }, 2],
    [{ accessList: [{ address: RECEIVER, storageKeys: [] }] }, 2],
    [{ authorizationList: [AUTHORIZATION] }, 4],
  ])('has the type that the service signs for %j at the fees of EIP-1559: %d', async (fields, type) => {
    const { signer } = await signerOf(ACCEPTED, SENT_WITH_TIP);
    const response = await signer.sendTransaction({ to: RECEIVER, value: 1n, ...fields });
    expect(response.type).toBe(type);
  });
});

describe('RelayerSigner.signTypedData', () => {
  const TYPES = { Mail: [{ name: 'to', type: 'address' }] };
  const OTHER = '0x7070707070707070707070707070707070707070';

  async function signerOf(provider?: JsonRpcProvider) {
    const { fetch, requests } = scriptedFetch(RELAYER, success({ sig: 'ab' }));
    const client = new RelayerClient({ url: 'https://relayer.example.com', apiKey: 'key', fetch });
    return { signer: await RelayerSigner.create(client.relayer('demo'), provider), requests };
  }

  it('resolves names', async () => {
    const provider = new JsonRpcProvider('http://127.0.0.1:9', 1, { staticNetwork: true });
    const names = new Map([
      ['app.eth', RECEIVER],
      ['someone.eth', OTHER],
    ]);
    jest
      .spyOn(provider, 'resolveName')
      .mockImplementation((name) => Promise.resolve(names.get(name) ?? null));
    try {
      const { signer, requests } = await signerOf(provider);
      const domain = { name: 'Mail', verifyingContract: 'app.eth' };
      expect(await signer.signTypedData(domain, TYPES, { to: 'someone.eth' })).toBe('0xab');
      expect(requests[1]!.body).toMatchObject({
        domain: { name: 'Mail', verifyingContract: RECEIVER },
        message: { to: OTHER },
      });
      const unknown = signer.signTypedData(domain, TYPES, { to: 'nobody.eth' });
      await expect(unknown).rejects.toMatchObject({ code: 'UNCONFIGURED_NAME' });
    } finally {
      provider.destroy();
    }
  });

  it('needs no provider for addresses, and refuses names without one', async () => {
    const { signer, requests } = await signerOf();
    await signer.signTypedData({ name: 'Mail' }, TYPES, { to: ADDRESS });
    expect(requests[1]!.body).toMatchObject({ message: { to: ADDRESS.toLowerCase() } });
    const named = signer.signTypedData({ name: 'Mail' }, TYPES, { to: 'someone.eth' });
    await expect(named).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' });
    expect(requests).toHaveLength(2);
  });
});
