import type { EvmPolicies } from '../../relayers/policies/evm-policies.dto';
import { requireAllowed } from './transaction-policy';
import { readTransaction } from './unsigned-transaction';

const LISTED = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826';
const OTHER = '0x3535353535353535353535353535353535353535';

const legacy = { type: 0, chain_id: 1, nonce: 0, gas_limit: 21_000, gas_price: 5, to: LISTED.toLowerCase() };
const dynamic = {
  ...{ type: 2, chain_id: 1, nonce: 0, gas_limit: 21_000, to: LISTED },
  ...{ max_fee_per_gas: 5, max_priority_fee_per_gas: 1 },
};

const check = (transaction: object, policies: EvmPolicies) => (): void => {
  requireAllowed(readTransaction(transaction), policies);
};
const refusal = (detail: string): Error =>
  expect.objectContaining({
    code: 'transaction_not_allowed',
    message: 'Transaction not allowed by policy',
    detail,
  });

describe('requireAllowed', () => {
  it.each<[string, object, EvmPolicies]>([
    ['everything without policies', { ...legacy, to: null, gas_price: `${10n ** 30n}` }, {}],
    ['a receiver of the whitelist, however it is written', legacy, { whitelist_receivers: [OTHER, LISTED] }],
    ['a gas price at the cap', legacy, { gas_price_cap: 5 }],
    ['a maximum fee at the cap', dynamic, { gas_price_cap: '5' }],
    ['a contract where only the price is capped', { ...dynamic, to: null }, { gas_price_cap: 5 }],
  ])('allows %s', (_what, transaction, policies) => {
    expect(check(transaction, policies)).not.toThrow();
  });

  it.each<[string, object, EvmPolicies, string]>([
    [
      'another receiver',
      { ...legacy, to: OTHER },
      { whitelist_receivers: [LISTED] },
      'transaction.to is not in policies.whitelist_receivers',
    ],
    [
      'every receiver with an empty whitelist',
      legacy,
      { whitelist_receivers: [] },
      'transaction.to is not in policies.whitelist_receivers',
    ],
    [
      'contract creation with a whitelist',
      { ...dynamic, to: null },
      { whitelist_receivers: [LISTED] },
      'transaction.to is null, and policies.whitelist_receivers allows no contract creation',
    ],
    [
      'a gas price above the cap',
      legacy,
      { gas_price_cap: 4 },
      'transaction.gas_price is above policies.gas_price_cap',
    ],
    [
      'a maximum fee above the cap',
      dynamic,
      { gas_price_cap: '4' },
      'transaction.max_fee_per_gas is above policies.gas_price_cap',
    ],
    [
      'any price with a cap of 0',
      legacy,
      { gas_price_cap: 0 },
      'transaction.gas_price is above policies.gas_price_cap',
    ],
  ])('refuses %s', (_what, transaction, policies, detail) => {
    expect(check(transaction, policies)).toThrow(refusal(detail));
  });
});
