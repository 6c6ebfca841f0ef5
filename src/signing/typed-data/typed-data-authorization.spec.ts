import type { HashedTypedData } from './typed-data';
import { authorizeHashes, authorizeTypedData, checkChain } from './typed-data-authorization';

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

const permit = (domain: Partial<HashedTypedData['domain']> = {}): HashedTypedData => ({
  domain: { separator: '0x', chainId: 1n, verifyingContract: USDC, ...domain },
  primaryType: 'Permit',
  digest: new Uint8Array(32),
});
const refusal = (detail: string): Error =>
  expect.objectContaining({
    code: 'typed_data_not_allowed',
    message: 'Typed data not allowed by policy',
    detail,
  }) as Error;

describe('authorizeHashes', () => {
  it.each([
    undefined,
    {},
    { allow_blind_hashes: true },
    { allow_blind_hashes: true, allowed: [{ primary_type: 'Permit' }] },
  ])('allows under %j', (policy) => {
    expect(() => {
      authorizeHashes(policy);
    }).not.toThrow();
  });

  it.each([
    [{ allow_blind_hashes: false }, 'policies.typed_data.allow_blind_hashes is false'],
    [
      { allowed: [] },
      'policies.typed_data.allowed is given, and policies.typed_data.allow_blind_hashes is not set to true',
    ],
  ])('refuses under %j', (policy, rule) => {
    expect(() => {
      authorizeHashes(policy);
    }).toThrow(refusal(rule));
  });
});

describe('authorizeTypedData', () => {
  it.each([
    [undefined],
    [{}],
    [{ allow_blind_hashes: false }],
    [{ allowed: [{ chain_id: 1 }] }],
    [{ allowed: [{ chain_id: '1' }] }],
    [{ allowed: [{ verifying_contract: USDC }] }],
    [{ allowed: [{ primary_type: 'Permit' }] }],
    [{ allowed: [{ chain_id: 5 }, { chain_id: 1, verifying_contract: USDC, primary_type: 'Permit' }] }],
  ])('allows under %j', (policy) => {
    expect(() => {
      authorizeTypedData(policy, permit());
    }).not.toThrow();
  });

  it.each([
    [{ allowed: [] }],
    [{ allowed: [{ chain_id: 5 }] }],
    [{ allowed: [{ verifying_contract: PERMIT2 }] }],
    [{ allowed: [{ primary_type: 'permit' }] }],
    [{ allowed: [{ chain_id: 1, verifying_contract: USDC, primary_type: 'Transfer' }] }],
    [{ allow_blind_hashes: true, allowed: [{ chain_id: 5 }] }],
  ])('refuses under %j', (policy) => {
    expect(() => {
      authorizeTypedData(policy, permit());
    }).toThrow(
      refusal(
        `no entry of policies.typed_data.allowed matches chain_id 1, verifying_contract ${USDC}, primary_type Permit`,
      ),
    );
  });

  it('matches nothing by a member that the domain does not have', () => {
    for (const pattern of [{ chain_id: 1 }, { verifying_contract: USDC }]) {
      expect(() => {
        authorizeTypedData(
          { allowed: [pattern] },
          permit({ chainId: undefined, verifyingContract: undefined }),
        );
      }).toThrow(
        refusal(
          'no entry of policies.typed_data.allowed matches chain_id (none), verifying_contract (none), primary_type Permit',
        ),
      );
    }
  });
});

describe('checkChain', () => {
  const refused = (detail: string): Error =>
    expect.objectContaining({ code: 'invalid_request', detail }) as Error;

  it('takes the chain of the network', () => {
    expect(() => {
      checkChain(11155111n, { name: 'sepolia', chainId: '11155111' });
    }).not.toThrow();
  });

  it('refuses another', () => {
    expect(() => {
      checkChain(1n, { name: 'sepolia', chainId: '11155111' });
    }).toThrow(refused('domain.chainId must be 11155111, the chain id of network sepolia'));
  });

  it('refuses all where the chain of the network is not known', () => {
    expect(() => {
      checkChain(1n, { name: 'devnet', chainId: null });
    }).toThrow(refused('domain.chainId cannot be checked: the chain id of network devnet is not known'));
  });
});
