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
