import { TypedDataEncoder } from 'ethers';
import * as chains from 'viem/chains';
import { BUILT_IN_NETWORKS } from '../../../networks/built-in-networks';
import { isNativeTransactionDomain } from './native-transactions';
import { parseDomain } from './typed-data-domain';

const separatorOf = (domain: object): string => parseDomain(domain, {}).separator;
/** By ethers, so independent of the service's own code. */
const nativeOf = (chainId: bigint | number): string =>
  TypedDataEncoder.hashDomain({ name: 'zkSync', version: '2', chainId });

describe('isNativeTransactionDomain', () => {
  it('recognises the domain of ZKsync Era in every form of a hash', () => {
    const digits = '38d6914dece859729eb1096cb0287992db769d1cfb35027c07a15c58c30ee62e';
    const separator = nativeOf(324);
    expect(separator).toBe(`0x${digits}`);
    for (const form of [separator, digits, digits.toUpperCase(), `0x${digits.toUpperCase()}`])
      expect(isNativeTransactionDomain(form, null)).toBe(true);
  });

  const zkStack = Object.values(chains).filter(
    (chain) => 'custom' in chain && 'getEip712Domain' in (chain.custom ?? {}),
  );

  it.each(zkStack.map(({ id, name }) => [name, id]))('knows %s', (_name, id) => {
    expect(isNativeTransactionDomain(nativeOf(id as number), undefined)).toBe(true);
  });

  const builtIn = [...BUILT_IN_NETWORKS.values()].filter(({ tags }) => tags.includes('zksync-based'));

  it.each(builtIn.map(({ name, chainId }) => [name, chainId]))('knows the network %s', (_name, chainId) => {
    expect(isNativeTransactionDomain(nativeOf(BigInt(chainId ?? 0)), '1')).toBe(true);
  });

  it('has found chains and networks to compare with', () => {
    expect([zkStack.length > 10, builtIn.length]).toEqual([true, 2]);
  });

  it.each(['1', '999999', (2n ** 256n - 1n).toString()])(
    'recognises the domain of the given chain %s',
    (id) => {
      const separator = nativeOf(BigInt(id));
      expect(isNativeTransactionDomain(separator, id)).toBe(true);
      expect(isNativeTransactionDomain(separator, id)).toBe(true);
      expect([isNativeTransactionDomain(separator, '2'), isNativeTransactionDomain(separator, null)]).toEqual(
        [false, false],
      );
    },
  );

  /** By ethers too, with the types that Cosmos chains declare. */
  const cosmosOf = (chainId: bigint | number, { type = 'string', ...values }: Record<string, string> = {}) =>
    TypedDataEncoder.hashStruct(
      'EIP712Domain',
      {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'version', type: 'string' },
          { name: 'chainId', type: 'uint256' },
          { name: 'verifyingContract', type },
          { name: 'salt', type: 'string' },
        ],
      },
      { name: 'Cosmos Web3', version: '1.0.0', chainId, verifyingContract: 'cosmos', salt: '0', ...values },
    );

  it('recognises the domain of Ethermint with the separator that a library for Evmos has in its tests', () => {
    const separator = '18a89ea35edd8815ce767aaabc09a316b4fbc08f3201680390a31f7da513f3ec';
    expect(cosmosOf(9000)).toBe(`0x${separator}`);
    expect(isNativeTransactionDomain(separator, null)).toBe(true);
  });

  const INJECTIVE = { name: 'Injective Web3' };
  const INJECTIVE_V2 = {
    ...INJECTIVE,
    ...{ type: 'address', verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC' },
  };

  it.each<Record<string, string>>([{}, INJECTIVE, INJECTIVE_V2])(
    'recognises the domain of Cosmos chains with %j, of known chains and of the given one',
    (values) => {
      for (const id of [1, 25, 1776, 2222, 9001]) {
        expect(isNativeTransactionDomain(cosmosOf(id, values), null)).toBe(true);
        expect(isNativeTransactionDomain(cosmosOf(id, values).toUpperCase().slice(2), '7')).toBe(true);
      }
      const own = cosmosOf(999_999, values);
      expect(isNativeTransactionDomain(own, '999999')).toBe(true);
      expect([isNativeTransactionDomain(own, '2'), isNativeTransactionDomain(own, null)]).toEqual([
        false,
        false,
      ]);
    },
  );

  it.each<Record<string, string>>([
    { name: 'Cosmos' },
    { version: '1' },
    { verifyingContract: 'Cosmos' },
    { salt: '1' },
    { type: 'address', verifyingContract: INJECTIVE_V2.verifyingContract },
  ])('does not recognise the domain of Cosmos chains with %j', (values) => {
    expect(isNativeTransactionDomain(cosmosOf(9000, values), '9000')).toBe(false);
  });

  it('still recognises a chain after a thousand others', () => {
    for (let id = 10_000; id < 11_100; id += 1) isNativeTransactionDomain(nativeOf(1), id.toString());
    expect(isNativeTransactionDomain(nativeOf(10_000), '10000')).toBe(true);
  });

  it.each([
    { name: 'zkSync', version: '2' },
    { name: 'zkSync', version: '1', chainId: 324 },
    { name: 'ZKsync', version: '2', chainId: 324 },
    { name: 'zkSync', chainId: 324 },
    { name: 'zkSync', version: '2', chainId: 324, verifyingContract: `0x${'11'.repeat(20)}` },
    { name: 'zkSync', version: '2', chainId: 324, salt: `0x${'11'.repeat(32)}` },
  ])('does not recognise %j', (domain) => {
    expect(isNativeTransactionDomain(separatorOf(domain), '324')).toBe(false);
  });
});
