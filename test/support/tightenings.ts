import { ADDRESSES, type RandomPolicies, SELECTORS, type StoredPolicies, TYPES } from './random-policies';

/** Changes after which nothing can be signed that could not be before, and all limits hold. Each returns undefined if it does not apply. */
export const TIGHTENINGS: Record<
  string,
  (policies: StoredPolicies, random: RandomPolicies) => StoredPolicies | undefined
> = {
  'another restriction': (policies, random) => {
    const isRestricted = policies.typed_data ?? policies.messages ?? policies.transactions;
    if (isRestricted !== undefined) return undefined;
    return { ...policies, ...random.one([{ typed_data: {} }, { messages: { allow: 'text' } as const }]) };
  },
  'a form that is no longer allowed': (policies, random) => {
    const set = (['typed_data', 'messages', 'transactions'] as const).filter((name) => policies[name]);
    const name = random.one(set);
    // Limits of transactions would be removed as well.
    const hasLimits = name === 'transactions' && Object.keys(policies.transactions ?? {}).length > 0;
    return set.length < 2 || hasLimits ? undefined : { ...policies, [name]: undefined };
  },
  'no blind hashes': ({ typed_data: policy, ...rest }) =>
    policy && { ...rest, typed_data: { ...policy, allow_blind_hashes: false } },
  'a first list of typed data': ({ typed_data: policy, ...rest }, random) =>
    policy?.allowed === undefined && policy
      ? { ...rest, typed_data: { ...policy, allowed: random.list(3, () => random.pattern()) } }
      : undefined,
  'fewer entries of typed data': ({ typed_data: policy, ...rest }, random) =>
    policy?.allowed && { ...rest, typed_data: { ...policy, allowed: random.some(policy.allowed) } },
  'entries of typed data in another order': ({ typed_data: policy, ...rest }) =>
    policy?.allowed && { ...rest, typed_data: { ...policy, allowed: policy.allowed.toReversed() } },
  'a narrower entry of typed data': ({ typed_data: policy, ...rest }, random) =>
    policy?.allowed && {
      ...rest,
      typed_data: {
        ...policy,
        allowed: policy.allowed.map((pattern) => ({
          ...{ chain_id: 1 + random.below(2), primary_type: random.one(TYPES) },
          ...pattern,
        })),
      },
    },
  'another constraint of typed data': ({ typed_data: policy, ...rest }, random) =>
    policy?.allowed && {
      ...rest,
      typed_data: {
        ...policy,
        allowed: policy.allowed.map((pattern) => ({
          ...pattern,
          fields: { [random.one(['a', 'b', 'c'])]: random.constraint(), ...pattern.fields },
        })),
      },
    },
  'narrower constraints of typed data': ({ typed_data: policy, ...rest }, random) =>
    policy?.allowed && {
      ...rest,
      typed_data: {
        ...policy,
        allowed: policy.allowed.map(({ fields, ...pattern }) => ({
          ...pattern,
          ...(fields && {
            fields: Object.fromEntries(
              Object.entries(fields).map(([name, constraint]) => {
                if (Array.isArray(constraint)) return [name, random.one(constraint)];
                if (typeof constraint !== 'object') return [name, constraint];
                const { min = -5, max = 9 } = constraint;
                return [
                  name,
                  random.one([
                    { min, max },
                    { ...constraint, min: `${Number(min) + 1}` },
                  ]),
                ];
              }),
            ),
          }),
        })),
      },
    },
  'fewer messages': ({ messages, ...rest }, random) =>
    messages && {
      ...rest,
      messages: { allow: messages.allow === 'any' ? random.one(['any', 'text', 'none']) : 'none' },
    },
  'fewer receivers': ({ whitelist_receivers: list = [...ADDRESSES], ...rest }, random) => ({
    ...rest,
    whitelist_receivers: random.some(list),
  }),
  'a lower price': ({ gas_price_cap: cap = 9, ...rest }) => ({
    ...rest,
    gas_price_cap: `${Math.max(0, Number(cap) - 1)}`,
  }),
  'lower limits of transactions': ({ transactions, ...rest }, random) => {
    if (!transactions) return undefined;
    const name = random.one(['max_value', 'max_fee', 'max_gas_limit', 'approval_above'] as const);
    const limit = Math.max(0, Number(transactions[name] ?? 9) - 1);
    return { ...rest, transactions: { ...transactions, [name]: random.one([limit, `${limit}`]) } };
  },
  'no creation of contracts': ({ transactions, ...rest }) =>
    transactions && { ...rest, transactions: { ...transactions, allow_contract_creation: false } },
  'fewer methods': ({ transactions, ...rest }, random) =>
    transactions?.allowed_methods && {
      ...rest,
      transactions: {
        ...transactions,
        allowed_methods: random.some(transactions.allowed_methods).map((entry) => ({
          to: random.one(ADDRESSES),
          ...entry,
          selectors: [random.one(entry.selectors)],
        })),
      },
    },
  'a first list of methods': ({ transactions, ...rest }) =>
    transactions?.allowed_methods === undefined && transactions
      ? {
          ...rest,
          transactions: { ...transactions, allowed_methods: [{ selectors: [SELECTORS[0]] }] },
        }
      : undefined,
  'another spending limit': ({ transactions, ...rest }) =>
    transactions && {
      ...rest,
      transactions: {
        ...transactions,
        spend_limits: [...(transactions.spend_limits ?? []), { per: '24h', max_fee: 7 }],
      },
    },
  'lower spending limits': ({ transactions, ...rest }) =>
    transactions?.spend_limits && {
      ...rest,
      transactions: {
        ...transactions,
        spend_limits: transactions.spend_limits.map((limit) => ({ ...limit, per: '7d', max_value: 0 })),
      },
    },
  'another balance to watch': (policies, random) => ({ ...policies, min_balance: random.below(9) }),
};
