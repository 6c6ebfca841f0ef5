import { hexlify, Transaction, Wallet } from 'ethers';
import { Anvil, describeWithAnvil } from '../support/anvil';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { createSqlite, type TestDatabase } from '../support/databases';
import { until } from '../support/private-servers';

const RECEIVER = '0x3535353535353535353535353535353535353535';
const WORD = `0x${'00'.repeat(31)}01`;
/** Code that stores 1 in slot 1, whatever its input. */
const RUNTIME = '0x600160015500';
/** Creation code that returns the six bytes of RUNTIME: PUSH6 … MSTORE, RETURN(26, 6). */
const CREATE = '0x656001600155006000526006601af3';

interface Receipt {
  status: string;
  from: string;
  to: string | null;
  type: string;
  contractAddress: string | null;
  transactionHash: string;
}

describeWithAnvil('Signed transactions', () => {
  let database: TestDatabase;
  let service: TestApplication;
  let node: Anvil;
  let from: string;

  beforeAll(async () => {
    node = await Anvil.create({ chainId: 31_337 });
    database = await createSqlite();
    service = await TestApplication.start(database);
    from = (await addRelayer(service, { id: 'signer', network: 'localhost-anvil' })).address;
    await node.setBalance(from, 10n ** 20n);
  });

  afterAll(async () => {
    await service.close();
    await database.drop();
    await node.stop();
  });

  const nonce = async (): Promise<number> =>
    Number(await node.rpc('eth_getTransactionCount', [from, 'latest']));

  const complete = async (transaction: object): Promise<object> => ({
    ...{ chain_id: 31_337, nonce: await nonce(), gas_limit: 100_000, to: RECEIVER },
    ...transaction,
  });

  /** Signs, sends, and returns the receipt; the hash must be the one in the response. */
  const send = async (transaction: object | string): Promise<Receipt> => {
    const response = await service.post('/api/v1/relayers/signer/sign-transaction', { transaction });
    expect([response.status, response.body.error]).toEqual([200, null]);
    const { signed_transaction, hash } = response.body.data;
    expect(await node.rpc('eth_sendRawTransaction', [signed_transaction])).toBe(hash);
    // The node responds before it mines the transaction.
    let receipt: Receipt | null = null;
    await until('the receipt', async () => {
      receipt = await node.rpc<Receipt | null>('eth_getTransactionReceipt', [hash]);
      return receipt !== null;
    });
    expect(receipt).toMatchObject({ status: '0x1', transactionHash: hash, from: from.toLowerCase() });
    return receipt!;
  };

  const FEES = { max_fee_per_gas: 5_000_000_000, max_priority_fee_per_gas: 1_000_000_000 };

  it.each([
    ['0', { type: 0, gas_price: 5_000_000_000 }],
    ['1', { type: 1, gas_price: 5_000_000_000, access_list: [{ address: RECEIVER, storage_keys: [WORD] }] }],
    ['2', { type: 2, ...FEES, access_list: [{ address: RECEIVER, storage_keys: [] }] }],
  ])('of type %s are mined and transfer the value', async (type, members) => {
    const balance = async (): Promise<bigint> =>
      BigInt(await node.rpc<string>('eth_getBalance', [RECEIVER, 'latest']));
    const before = await balance();
    const receipt = await send(await complete({ ...members, value: '1000000000000000001', data: '0xabcd' }));
    expect(receipt).toMatchObject({ type: `0x${type}`, to: RECEIVER });
    expect((await balance()) - before).toBe(1_000_000_000_000_000_001n);
  });

  it('requested as serialized bytes are mined', async () => {
    const { unsignedSerialized } = Transaction.from({
      ...{ type: 2, chainId: 31_337, nonce: await nonce(), gasLimit: 100_000, to: RECEIVER, value: 7 },
      ...{ maxFeePerGas: FEES.max_fee_per_gas, maxPriorityFeePerGas: FEES.max_priority_fee_per_gas },
    });
    expect(await send(unsignedSerialized)).toMatchObject({ type: '0x2', to: RECEIVER });
  });

  it('that create a contract deploy its code', async () => {
    const { contractAddress } = await send(await complete({ type: 2, ...FEES, to: null, data: CREATE }));
    expect(await node.rpc('eth_getCode', [contractAddress, 'latest'])).toBe(RUNTIME);
  });

  it('of type 4 delegate an account to a contract, whose code then runs there', async () => {
    const { contractAddress } = await send(await complete({ type: 2, ...FEES, to: null, data: CREATE }));
    const authority = new Wallet(hexlify(new Uint8Array(32).fill(7)));
    const signed = authority.authorizeSync({ address: contractAddress!, nonce: 0, chainId: 31_337 });
    const { r, s, yParity } = signed.signature;
    const authorization = {
      ...{ chain_id: 31_337, address: contractAddress, nonce: 0, y_parity: yParity, r, s },
    };
    const receipt = await send(
      await complete({ type: 4, ...FEES, to: authority.address, authorization_list: [authorization] }),
    );
    expect(receipt.type).toBe('0x4');
    expect(await node.rpc('eth_getCode', [authority.address, 'latest'])).toBe(
      `0xef0100${contractAddress!.slice(2)}`,
    );
    expect(await node.rpc('eth_getStorageAt', [authority.address, '0x1', 'latest'])).toBe(WORD);
  });
});
