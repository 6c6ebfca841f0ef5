import { hashMessage, recoverAddress, TypedDataEncoder, type TypedDataField } from 'ethers';
import { chainConfig, type ZksyncTransactionSerializableEIP712 } from 'viem/zksync';
import { SigningApi, type TypedDataToSign } from '../../src/signing/signing.api';
import { addRelayer, COW_ADDRESS, COW_KEY } from '../support/builders';
import { describeService } from '../support/describe-service';
import { KeyHolder } from '../support/key-holders';
import { MAIL } from '../support/typed-data/vectors';

const TO = '0x3535353535353535353535353535353535353535';
const REFUSED = {
  status: 403,
  message: 'Typed data not allowed by policy',
  error:
    'the domain is that of native transactions of ZKsync or Cosmos chains, to which policies for typed data do not apply: sign or send a transaction instead',
};

/** A native transaction that moves 1 ETH, as viem prepares it, in both forms of a request. */
function nativeTransaction(chainId: number) {
  const transaction: ZksyncTransactionSerializableEIP712 = {
    ...{ type: 'eip712', chainId, from: COW_ADDRESS, to: TO, value: 10n ** 18n, nonce: 0, gas: 100_000n },
    ...{ maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 0n, gasPerPubdata: 50_000n, data: '0x' },
  };
  const { domain, types, primaryType, message } = chainConfig.custom.getEip712Domain(transaction);
  const structs = { Transaction: types.Transaction as TypedDataField[] };
  const text = JSON.stringify({ domain, types: structs, primaryType, message }, (_name, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return {
    full: JSON.parse(text) as { domain: object },
    hashes: {
      domain_separator: TypedDataEncoder.hashDomain(domain),
      hash_struct_message: TypedDataEncoder.hashStruct(primaryType, structs, message),
    },
    digest: TypedDataEncoder.hash(domain, structs, message),
  };
}

describeService('Native transactions of ZKsync chains', ({ service }) => {
  let key: KeyHolder;

  beforeAll(async () => {
    for (const [id, network] of [
      ['era', 'zksync-era'],
      ['ethereum', 'mainnet'],
      ['own', 'a chain of our own'],
    ])
      await addRelayer(service, {
        id: id!,
        network: network!,
        signerId: `signer-${id}`,
        privateKey: COW_KEY,
      });
    key = await KeyHolder.add(service, { scopes: ['sign:typed-data'] });
  });

  const sign = async (relayer: string, body: object) => {
    const { status, body: response } = await key.call(
      'POST',
      `/api/v1/relayers/${relayer}/sign-typed-data`,
      body,
    );
    return { status, message: response.message, error: response.error };
  };

  it('are hashed here as the chain hashes them', async () => {
    const { hashes, digest } = nativeTransaction(324);
    const separator = hashes.domain_separator;
    expect(separator).toBe('0x38d6914dece859729eb1096cb0287992db769d1cfb35027c07a15c58c30ee62e');
    const bytes = Buffer.from(`1901${separator.slice(2)}${hashes.hash_struct_message.slice(2)}`, 'hex');
    const { body } = await service.post('/api/v1/relayers/era/sign', {
      message: bytes.toString('hex'),
      encoding: 'hex',
    });
    // As a message the same bytes have a prefix, so their signature is not one of the transaction.
    const signature = `0x${body.data.sig as string}`;
    expect(recoverAddress(hashMessage(bytes), signature)).toBe(COW_ADDRESS);
    expect(recoverAddress(digest, signature)).not.toBe(COW_ADDRESS);
  });

  const forms = (chainId: number): object[] => {
    const { full, hashes } = nativeTransaction(chainId);
    const upper = hashes.domain_separator.slice(2).toUpperCase();
    return [full, { ...MAIL, domain: full.domain }, hashes, { ...hashes, domain_separator: upper }];
  };

  it.each([
    ['era', 324],
    ['own', 424_242],
  ])('are not signed as typed data by the relayer %s, in any form', async (relayer, chainId) => {
    for (const body of forms(chainId)) expect(await sign(relayer, body)).toEqual(REFUSED);
    const path = `/api/v1/relayers/${relayer}/sign-typed-data/batch`;
    const items = [
      ...forms(chainId),
      { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) },
    ];
    const batch = await key.call('POST', path, { items });
    const failed = { success: false, error: REFUSED.error };
    expect(batch.body.data).toEqual([
      ...[failed, failed, failed, failed],
      expect.objectContaining({ success: true }),
    ]);
  });

  it('are not signed for a public chain of the ZK Stack by a relayer on another network with the same key', async () => {
    for (const chainId of [324, 300, 2741, 50104, 232]) {
      const { full, hashes } = nativeTransaction(chainId);
      expect(await sign('ethereum', hashes)).toEqual(REFUSED);
      expect((await sign('ethereum', full)).error).toBe(
        'domain.chainId must be 1, the chain id of network mainnet',
      );
    }
  });

  it('are not signed whatever the policies for typed data allow, nor for plugins', async () => {
    const policies = {
      typed_data: { allow_blind_hashes: true, allowed: [{ chain_id: 324, primary_type: 'Transaction' }] },
      transactions: {},
    };
    expect((await service.patch('/api/v1/relayers/era', { policies })).status).toBe(200);
    for (const body of forms(324)) {
      expect(await sign('era', body)).toEqual(REFUSED);
      await expect(
        service.app.get(SigningApi).signTypedData('era', body as TypedDataToSign),
      ).rejects.toMatchObject({
        ...{ code: 'typed_data_not_allowed', detail: REFUSED.error },
      });
    }
    await service.patch('/api/v1/relayers/era', { policies: { typed_data: null, transactions: null } });
  });

  it('are not signed for Cosmos chains either, whose domain full typed data cannot have', async () => {
    const domain = {
      ...{ name: 'Cosmos Web3', version: '1.0.0', chainId: 424_242 },
      ...{ verifyingContract: 'cosmos', salt: '0' },
    };
    const types = Object.entries(domain).map(([name]) => ({
      name,
      type: name === 'chainId' ? 'uint256' : 'string',
    }));
    const domain_separator = TypedDataEncoder.hashStruct('EIP712Domain', { EIP712Domain: types }, domain);
    expect(await sign('own', { domain_separator, hash_struct_message: 'cd'.repeat(32) })).toEqual(REFUSED);
    const full = { ...MAIL, domain, types: { ...(MAIL.types as object), EIP712Domain: types } };
    expect((await sign('own', full)).status).toBe(400);
  });

  it('are recorded as refused, and leave other typed data and transactions as they are', async () => {
    const { hashes } = nativeTransaction(324);
    await sign('era', hashes);
    const events = await service.get(
      '/api/v1/audit-events?relayer_id=era&action=signature.create&per_page=1',
    );
    expect(events.body.data).toEqual([
      expect.objectContaining({
        outcome: 'failure',
        code: 'typed_data_not_allowed',
        form: 'typed_data_hashes',
      }),
    ]);
    const { domain, ...others } = MAIL;
    const own = { ...others, domain: { ...(domain as object), chainId: 324 } };
    expect((await sign('era', own)).status).toBe(200);
    expect((await sign('era', { ...others, domain: { name: 'zkSync', version: '2' } })).status).toBe(200);
    const transaction = {
      ...{ type: 2, chain_id: 324, nonce: 0, gas_limit: 21_000, to: TO, value: '1' },
      ...{ max_fee_per_gas: 20, max_priority_fee_per_gas: 1 },
    };
    expect((await service.post('/api/v1/relayers/era/sign-transaction', { transaction })).status).toBe(200);
  });
});
