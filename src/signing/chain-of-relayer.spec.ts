import { checkDomainChain, checkTransactionChain } from './chain-of-relayer';

const rejected = (detail: string): Error =>
  expect.objectContaining({ code: 'invalid_request', detail }) as Error;

describe.each([
  [
    'checkDomainChain',
    checkDomainChain,
    'domain.chainId must be 11155111, the chain id of network sepolia',
    'domain.chainId cannot be checked: the chain id of network devnet is not known',
  ],
  [
    'checkTransactionChain',
    checkTransactionChain,
    'transaction.chain_id must be 11155111, that of network sepolia',
    'Network devnet has no chain id',
  ],
])('%s', (_name, check, otherChain, unknownChain) => {
  it('accepts the chain of the network', () => {
    expect(() => {
      check(11155111n, { name: 'sepolia', chainId: '11155111' });
    }).not.toThrow();
  });

  it('rejects another chain', () => {
    expect(() => {
      check(1n, { name: 'sepolia', chainId: '11155111' });
    }).toThrow(rejected(otherChain));
  });

  it('rejects every chain when the chain id of the network is unknown', () => {
    expect(() => {
      check(1n, { name: 'devnet', chainId: null });
    }).toThrow(rejected(unknownChain));
  });
});
