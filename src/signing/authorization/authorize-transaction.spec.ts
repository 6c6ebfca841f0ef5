import type { EvmPolicies } from '../../relayers/policies/evm-policies.dto';
import { readTransaction } from '../../chains/evm/transaction/unsigned-transaction';
import { authorizeTransaction } from './authorize-transaction';

const LISTED = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826';
const OTHER = '0x3535353535353535353535353535353535353535';

const legacy = { type: 0, chain_id: 1, nonce: 0, gas_limit: 21_000, gas_price: 5, to: LISTED.toLowerCase() };
const dynamic = {
  ...{ type: 2, chain_id: 1, nonce: 0, gas_limit: 21_000, to: LISTED },
  ...{ max_fee_per_gas: 5, max_priority_fee_per_gas: 1 },
};

const check = (transaction: object, policies: EvmPolicies) => (): void => {
  authorizeTransaction(policies, readTransaction(transaction));
};
const refusal = (detail: string): Error =>
  expect.objectContaining({
    code: 'transaction_not_allowed',
    message: 'Transaction not allowed by policy',
    detail,
  });

describe('authorizeTransaction', () => {
  it.each<[string, object, EvmPolicies]>([
    ['everything without policies', { ...legacy, to: null, gas_price: `${10n ** 30n}` }, {}],
    ['a receiver on the whitelist, in any letter case', legacy, { whitelist_receivers: [OTHER, LISTED] }],
    ['a gas price at the cap', legacy, { gas_price_cap: 5 }],
    ['a maximum fee at the cap', dynamic, { gas_price_cap: '5' }],
    ['contract creation if only the price is capped', { ...dynamic, to: null }, { gas_price_cap: 5 }],
  ])('allows %s', (_what, transaction, policies) => {
    expect(check(transaction, policies)).not.toThrow();
  });

  const TOKEN_TRANSFER = `0xa9059cbb${'00'.repeat(64)}`;
  const call = { ...dynamic, to: OTHER, data: TOKEN_TRANSFER };
  const creation = { ...dynamic, to: null, data: TOKEN_TRANSFER };
  const delegating = {
    ...{ ...call, type: 4 },
    authorization_list: [{ chain_id: 0, address: OTHER, nonce: 0, y_parity: 0, r: '0x1', s: '0x1' }],
  };
  const CREATION_RULE =
    'transaction.to is null: beside policies.transactions.allowed_methods that needs allow_contract_creation: true';
  const methodRule = (called: string): string =>
    `transaction.data calls ${called}, which no entry of policies.transactions.allowed_methods allows for transaction.to`;

  it.each<[string, object, NonNullable<EvmPolicies['transactions']>]>([
    ['everything by an empty policy', { ...creation, value: `${2n ** 256n - 1n}` }, {}],
    ['a type 4 by an empty policy', delegating, {}],
    ['a value at its limit', { ...call, value: '1000' }, { max_value: 1000 }],
    ['a fee at its limit', call, { max_fee: 105_000 }],
    ['a legacy fee at its limit', legacy, { max_fee: '105000' }],
    ['a gas limit at its limit', call, { max_gas_limit: 21_000 }],
    ['a listed method', call, { allowed_methods: [{ selectors: ['0x095ea7b3', '0xa9059cbb'] }] }],
    ['a listed method of a contract', call, { allowed_methods: [{ to: OTHER, selectors: ['0xa9059cbb'] }] }],
    [
      'a selector without arguments',
      { ...call, data: '0xA9059CBB' },
      { allowed_methods: [{ selectors: ['0xa9059cbb'] }] },
    ],
    ['a transfer that is listed', dynamic, { allowed_methods: [{ to: LISTED, selectors: ['0x'] }] }],
    [
      'contract creation that is explicitly allowed',
      creation,
      { allow_contract_creation: true, allowed_methods: [] },
    ],
  ])('allows %s', (_what, transaction, transactions) => {
    expect(check(transaction, { transactions })).not.toThrow();
  });

  it.each<[string, object, NonNullable<EvmPolicies['transactions']>, string]>([
    [
      'a value above its limit',
      { ...call, value: '1001' },
      { max_value: 1000 },
      'transaction.value is above policies.transactions.max_value',
    ],
    [
      'a value that a double would round to its limit',
      { ...call, value: '9007199254740993' },
      { max_value: '9007199254740992' },
      'transaction.value is above policies.transactions.max_value',
    ],
    [
      'any value by 0',
      { ...call, value: 1 },
      { max_value: 0 },
      'transaction.value is above policies.transactions.max_value',
    ],
    [
      'a fee above its limit',
      call,
      { max_fee: 104_999 },
      'transaction.gas_limit times max_fee_per_gas is above policies.transactions.max_fee',
    ],
    [
      'a fee that does not fit 256 bits',
      { ...call, gas_limit: `${2n ** 64n - 1n}`, max_fee_per_gas: `${2n ** 256n - 1n}` },
      { max_fee: `${2n ** 256n - 1n}` },
      'transaction.gas_limit times max_fee_per_gas is above policies.transactions.max_fee',
    ],
    [
      'a legacy fee above its limit',
      legacy,
      { max_fee: 104_999 },
      'transaction.gas_limit times gas_price is above policies.transactions.max_fee',
    ],
    [
      'a gas limit above its limit',
      call,
      { max_gas_limit: 20_999 },
      'transaction.gas_limit is above policies.transactions.max_gas_limit',
    ],
    [
      'contract creation that is forbidden',
      creation,
      { allow_contract_creation: false },
      'transaction.to is null, and policies.transactions.allow_contract_creation is false',
    ],
    [
      'creation beside methods',
      creation,
      { allowed_methods: [{ selectors: ['0xa9059cbb'] }] },
      CREATION_RULE,
    ],
    ['every call by an empty list', call, { allowed_methods: [] }, methodRule('0xa9059cbb')],
    ['another method', call, { allowed_methods: [{ selectors: ['0x095ea7b3'] }] }, methodRule('0xa9059cbb')],
    [
      'the method of another contract',
      call,
      {
        allowed_methods: [
          { to: LISTED, selectors: ['0xa9059cbb'] },
          { to: OTHER, selectors: ['0x'] },
        ],
      },
      methodRule('0xa9059cbb'),
    ],
    [
      'a transfer if only methods are listed',
      dynamic,
      { allowed_methods: [{ selectors: ['0xa9059cbb'] }] },
      methodRule('0x'),
    ],
    [
      'calldata that is too short',
      { ...call, data: '0xa9059c' },
      { allowed_methods: [{ selectors: ['0xa9059cbb', '0x'] }] },
      methodRule('no method'),
    ],
    [
      'type 4 if only methods are listed',
      delegating,
      { allowed_methods: [{ selectors: ['0xa9059cbb'] }] },
      'transaction.type is 4, which policies.transactions.allowed_methods does not allow',
    ],
  ])('rejects %s', (_what, transaction, transactions, detail) => {
    expect(check(transaction, { transactions })).toThrow(refusal(detail));
  });

  it('enforces the whitelist together with the transactions policy', () => {
    const policies = { whitelist_receivers: [LISTED], transactions: { allow_contract_creation: true } };
    expect(check({ ...dynamic, to: LISTED }, policies)).not.toThrow();
    expect(check(call, policies)).toThrow(refusal('transaction.to is not in policies.whitelist_receivers'));
    expect(check(creation, policies)).toThrow(
      refusal('transaction.to is null, and policies.whitelist_receivers allows no contract creation'),
    );
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
