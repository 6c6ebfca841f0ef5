import { recoverAddress, Transaction, Wallet } from 'ethers';
import { DataSource } from 'typeorm';
import { NetworkEntity } from '../../src/networks/network.entity';
import { RelayerEntity } from '../../src/relayers/relayer.entity';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { sealRows } from '../support/row-macs';

/** The account of the EIP-155 example. */
const KEY = '46'.repeat(32);
const TO = '0x3535353535353535353535353535353535353535';

const LEGACY = {
  ...{ type: 0, chain_id: 1, nonce: 9, gas_price: 20_000_000_000, gas_limit: 21_000 },
  ...{ to: TO, value: '1000000000000000000' },
};
const DYNAMIC = {
  ...{ type: 2, chain_id: 1, nonce: 9, max_fee_per_gas: 20, max_priority_fee_per_gas: 1 },
  ...{ gas_limit: 21_000, to: TO },
};
const UNSIGNED =
  '0xec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080018080';
const RESPONSE = {
  signed_transaction:
    '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
  hash: '0x33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788',
  signature:
    '28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa63627667cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d831b',
};

describeService('Signing transactions', ({ service }) => {
  beforeAll(async () => {
    await addRelayer(service, { id: 'signer', network: 'mainnet', privateKey: KEY });
  });

  const sign = (transaction: unknown, id = 'signer') =>
    service.post(`/api/v1/relayers/${id}/sign-transaction`, { transaction });

  const refused = async (transaction: unknown, id?: string): Promise<[number, string, string]> => {
    const { status, body } = await sign(transaction, id);
    expect([body.success, body.data]).toEqual([false, null]);
    return [status, body.message, body.error];
  };

  it.each([
    ['JSON', LEGACY],
    ['bytes', UNSIGNED],
    ['bytes in upper case', `0x${UNSIGNED.slice(2).toUpperCase()}`],
  ])('signs the EIP-155 example from %s', async (_form, transaction) => {
    const response = await sign(transaction);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ success: true, data: RESPONSE, error: null });
  });

  it.each([2001, 3900])('signs an access list of %d storage keys in either form', async (count) => {
    const storageKeys = Array.from({ length: count }, (_, i) => `0x${i.toString(16).padStart(64, '0')}`);
    const asObject = await sign({ ...DYNAMIC, access_list: [{ address: TO, storage_keys: storageKeys }] });
    const unsigned = Transaction.from({
      ...{
        type: 2,
        chainId: 1,
        nonce: 9,
        maxFeePerGas: 20,
        maxPriorityFeePerGas: 1,
        gasLimit: 21_000,
        to: TO,
      },
      accessList: [{ address: TO, storageKeys }],
    }).unsignedSerialized;
    const asBytes = await sign(unsigned);
    expect(asObject.body.error).toBeNull();
    expect(asBytes.body.data).toEqual(asObject.body.data);
  });

  it('refuses storage keys beyond 128 KiB in either form', async () => {
    const list = { address: TO, storage_keys: Array(3990).fill(`0x${'00'.repeat(32)}`) };
    const error = 'transaction must not exceed 131072 bytes';
    expect(await refused({ ...DYNAMIC, access_list: [list] })).toEqual([400, 'Bad Request', error]);
    expect(await refused(`0x02${'00'.repeat(3990 * 33)}`)).toEqual([400, 'Bad Request', error]);
  });

  it.each(['null', '5', '"x"', '[]'])('refuses the body %s', async (body) => {
    const response = await service.post('/api/v1/relayers/signer/sign-transaction', body);
    expect([response.status, response.body.error]).toEqual([400, 'the request body must be a JSON object']);
  });

  it('returns a signature that recovers to the relayer from the hash of the unsigned transaction', async () => {
    const { data } = (await sign(DYNAMIC)).body;
    const { unsignedHash, hash } = Transaction.from(data.signed_transaction as string);
    expect(recoverAddress(unsignedHash, `0x${data.signature}`)).toBe(new Wallet(`0x${KEY}`).address);
    expect(data.hash).toBe(hash);
  });

  it.each<[unknown, string]>([
    [undefined, 'transaction must be an object, or a string of 0x and hex digits'],
    [null, 'transaction must be an object, or a string of 0x and hex digits'],
    [[1, 2], 'transaction must be an object, or a string of 0x and hex digits'],
    [5, 'transaction must be an object, or a string of 0x and hex digits'],
    ['', 'transaction must be an object, or 0x and an even number of hex digits'],
    [{}, 'transaction.type must be 0, 1, 2 or 4'],
    [{ ...LEGACY, from: TO }, 'transaction.from is not a known field'],
    [RESPONSE.signed_transaction, 'transaction is already signed'],
    [{ ...LEGACY, chain_id: 5 }, 'transaction.chain_id must be 1, that of network mainnet'],
    [{ ...DYNAMIC, data: `0x${'ab'.repeat(131_072)}` }, 'transaction must not exceed 131072 bytes'],
    [
      { ...DYNAMIC, access_list: [{ address: TO, storage_keys: ['0x00'] }] },
      'transaction.access_list[0].storage_keys[0] must be 0x and 64 hex digits',
    ],
  ])('refuses %.80j', async (transaction, error) => {
    expect(await refused(transaction)).toEqual([400, 'Bad Request', error]);
  });

  it('refuses other fields next to the transaction', async () => {
    const response = await service.post('/api/v1/relayers/signer/sign-transaction', {
      transaction: LEGACY,
      unsigned_xdr: 'AAAA',
    });
    expect([response.status, response.body.error]).toEqual([400, 'unsigned_xdr is not a known field']);
  });

  it('refuses an integer that JSON clients round', async () => {
    const body = `{"transaction":${JSON.stringify({ ...LEGACY, value: 0 }).replace('"value":0', '"value":1000000000000000000')}}`;
    const response = await service.post('/api/v1/relayers/signer/sign-transaction', body);
    expect(response.body.error).toBe(
      'transaction.value is a number that JSON clients round (beyond 2^53-1 or over 15 digits): send it as a decimal string',
    );
  });

  it('enforces the current policies', async () => {
    await addRelayer(service, { id: 'bound', network: 'mainnet' });
    const patch = (policies: object) => service.patch('/api/v1/relayers/bound', { policies });
    expect((await sign({ ...LEGACY, to: null }, 'bound')).status).toBe(200);

    await patch({ whitelist_receivers: ['0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'] });
    const message = 'Transaction not allowed by policy';
    expect(await refused(LEGACY, 'bound')).toEqual([
      403,
      message,
      'transaction.to is not in policies.whitelist_receivers',
    ]);
    expect(await refused({ ...LEGACY, to: null }, 'bound')).toEqual([
      403,
      message,
      'transaction.to is null, and policies.whitelist_receivers allows no contract creation',
    ]);
    await patch({ whitelist_receivers: [TO], gas_price_cap: '19999999999' });
    expect(await refused(UNSIGNED, 'bound')).toEqual([
      403,
      message,
      'transaction.gas_price is above policies.gas_price_cap',
    ]);
    expect((await sign(DYNAMIC, 'bound')).status).toBe(200);
    await patch({ gas_price_cap: 19 });
    expect(await refused(DYNAMIC, 'bound')).toEqual([
      403,
      message,
      'transaction.max_fee_per_gas is above policies.gas_price_cap',
    ]);
    await patch({ gas_price_cap: null });
    expect((await sign(UNSIGNED, 'bound')).status).toBe(200);
  });

  it('refuses unknown, paused and non-EVM relayers, but not disabled relayers', async () => {
    await addRelayer(service, { id: 'paused', network: 'mainnet', paused: true });
    await addRelayer(service, { id: 'disabled', network: 'mainnet' });
    await addRelayer(service, { id: 'stellar', networkType: 'stellar' });
    await service.app
      .get(DataSource)
      .getRepository(RelayerEntity)
      .update({ id: 'disabled' }, { systemDisabled: true });
    expect(await refused(LEGACY, 'nobody')).toEqual([
      404,
      'Relayer with ID nobody not found',
      'Relayer with ID nobody not found',
    ]);
    expect(await refused(LEGACY, 'paused')).toEqual([403, 'Relayer paused', 'Relayer paused']);
    // A signature does not need the chain.
    expect((await sign(LEGACY, 'disabled')).status).toBe(200);
    expect(await refused(LEGACY, 'stellar')).toEqual([
      400,
      'Bad Request',
      'a relayer of network type stellar cannot sign transactions',
    ]);
  });

  it('refuses a relayer on a network without a chain id', async () => {
    await addRelayer(service, { id: 'unknown', network: 'bare' });
    await service.app
      .get(DataSource)
      .getRepository(NetworkEntity)
      .update({ id: 'evm:bare' }, { chainId: null });
    await sealRows(service, NetworkEntity);
    expect(await refused(LEGACY, 'unknown')).toEqual([400, 'Bad Request', 'Network bare has no chain id']);
  });
});
