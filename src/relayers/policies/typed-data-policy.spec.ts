import { parsePolicies, patchPolicies } from './policies';

const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const refusal = (detail: string): Error =>
  expect.objectContaining({ code: 'invalid_request', detail }) as Error;
const typedData = (policy: unknown): unknown => parsePolicies('evm', { typed_data: policy }).typed_data;

describe('The typed data policy', () => {
  it('accepts every member, with exact chain ids and checksummed addresses', () => {
    expect(
      typedData({
        allow_blind_hashes: false,
        allowed: [
          { chain_id: '1', verifying_contract: USDC.toLowerCase(), primary_type: 'Permit' },
          { chain_id: '18446744073709551615' },
        ],
      }),
    ).toStrictEqual({
      allow_blind_hashes: false,
      allowed: [
        { chain_id: 1, verifying_contract: USDC, primary_type: 'Permit' },
        { chain_id: '18446744073709551615' },
      ],
    });
  });

  it('accepts an empty list and an empty policy', () => {
    expect(typedData({ allowed: [] })).toStrictEqual({ allowed: [] });
    expect(typedData({})).toStrictEqual({});
  });

  it.each([
    [5, 'policies.typed_data must be an object'],
    [{ allow_blind: true }, 'policies.typed_data.allow_blind is not a known field'],
    [{ allow_blind_hashes: 'no' }, 'policies.typed_data.allow_blind_hashes must be a boolean value'],
    [{ allowed: {} }, 'policies.typed_data.allowed must be an array'],
    [{ allowed: [5] }, 'each item of policies.typed_data.allowed must be an object'],
    [{ allowed: [null] }, 'each item of policies.typed_data.allowed must be an object'],
    [
      { allowed: [{ chain_id: 1 }, {}] },
      'policies.typed_data.allowed[1] must have one of chain_id, verifying_contract, primary_type, fields',
    ],
    [
      { allowed: [{ chain_id: null }] },
      'policies.typed_data.allowed[0] must have one of chain_id, verifying_contract, primary_type, fields',
    ],
    [{ allowed: [{ chain: 1 }] }, 'policies.typed_data.allowed[0].chain is not a known field'],
    [
      { allowed: [{ chain_id: -1 }] },
      'policies.typed_data.allowed[0].chain_id must be a JSON integer or a decimal string from 0 to 18446744073709551615',
    ],
    [
      { allowed: [{ verifying_contract: '0x1' }] },
      'policies.typed_data.allowed[0].verifying_contract must be an address: 0x and 40 hex digits, with a valid checksum if the case is mixed',
    ],
    [
      { allowed: [{ primary_type: 'Per mit' }] },
      'policies.typed_data.allowed[0].primary_type must be the name of a type of EIP-712',
    ],
    [
      { allowed: Array.from({ length: 1001 }, () => ({ chain_id: 1 })) },
      'policies.typed_data.allowed must contain no more than 1000 elements',
    ],
  ])('refuses %j', (policy, detail) => {
    expect(() => typedData(policy)).toThrow(refusal(detail));
    expect(() => patchPolicies('evm', {}, { typed_data: policy })).toThrow(refusal(detail));
  });

  it('is patched member by member', () => {
    const stored = { min_balance: 1, typed_data: { allow_blind_hashes: false, allowed: [{ chain_id: 1 }] } };
    expect(patchPolicies('evm', stored, { typed_data: { allow_blind_hashes: null } })).toStrictEqual({
      min_balance: 1,
      typed_data: { allowed: [{ chain_id: 1 }] },
    });
    expect(patchPolicies('evm', stored, { typed_data: { allowed: [] } })).toStrictEqual({
      min_balance: 1,
      typed_data: { allow_blind_hashes: false, allowed: [] },
    });
    expect(patchPolicies('evm', stored, { typed_data: null })).toStrictEqual({ min_balance: 1 });
  });

  it('is refused for relayers of other networks', () => {
    expect(() => parsePolicies('solana', { typed_data: {} })).toThrow(
      refusal('policies.typed_data is not a known field'),
    );
  });
});
