import { parseMemberType } from '../../src/chains/evm/typed-data/member-type';
import type { HashedTypedData } from '../../src/chains/evm/typed-data/typed-data';
import { readTransaction } from '../../src/chains/evm/transaction/unsigned-transaction';
import type { EvmPolicies } from '../../src/relayers/policies/evm-policies.dto';
import type { FieldConstraint } from '../../src/relayers/policies/field-constraints';
import { parsePolicies } from '../../src/relayers/policies/policies';
import type { SignatureSubject } from '../../src/signing/authorization/authorize-signature';

/** Policies in their stored form: plain objects. */
export type StoredPolicies = Plain<EvmPolicies>;
type Plain<T> = { [K in keyof T]: Plain<T[K]> };

/** Mulberry32: numbers from 0 to 1, which are the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const ADDRESSES = [
  '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
  '0x3535353535353535353535353535353535353535',
  '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
] as const;
export const SELECTORS = ['0xa9059cbb', '0x095ea7b3', '0x'] as const;
export const TYPES = ['Permit', 'Order'] as const;
/** Values of message members and constraints, some of which are equal only for some types. */
const VALUES = [0, 1, 2, 3, '1', '2', '0x1', '0x01', 'one', true, ADDRESSES[0], ADDRESSES[0].toLowerCase()];
const MESSAGES = [Buffer.from('text'), Buffer.from([0xff, 0]), Buffer.from('x'.repeat(32))];
const MEMBER_TYPES = ['uint256', 'string', 'bool', 'address'] as const;

type Pattern = NonNullable<NonNullable<StoredPolicies['typed_data']>['allowed']>[number];

/** Random policies made of few different values, so that those of two relayers have something in common. */
export class RandomPolicies {
  constructor(readonly random: () => number) {}

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  one<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** The value in a share of the cases, otherwise no member. */
  maybe<K extends string, T>(name: K, share: number, value: () => T): Partial<Record<K, T>> {
    return this.random() < share ? ({ [name]: value() } as Record<K, T>) : {};
  }

  some<T>(items: readonly T[]): T[] {
    return items.filter(() => this.random() < 0.5);
  }

  list<T>(limit: number, item: () => T): T[] {
    return Array.from({ length: this.below(limit) }, item);
  }

  policies(): StoredPolicies {
    return parsePolicies('evm', {
      ...this.maybe('whitelist_receivers', 0.3, () => this.some(ADDRESSES)),
      ...this.maybe('gas_price_cap', 0.3, () => this.below(4)),
      ...this.maybe('min_balance', 0.1, () => this.below(4)),
      ...this.maybe('typed_data', 0.5, () => this.typedData()),
      ...this.maybe('messages', 0.4, () => ({ allow: this.one(['none', 'text', 'any']) })),
      ...this.maybe('transactions', 0.6, () => this.transactions()),
    });
  }

  typedData(): NonNullable<StoredPolicies['typed_data']> {
    return {
      ...this.maybe('allow_blind_hashes', 0.5, () => this.random() < 0.5),
      ...this.maybe('allowed', 0.8, () => this.list(4, () => this.pattern())),
    };
  }

  pattern(): Pattern {
    const pattern = {
      ...this.maybe('chain_id', 0.4, () => 1 + this.below(2)),
      ...this.maybe('verifying_contract', 0.4, () => this.one(ADDRESSES)),
      ...this.maybe('primary_type', 0.4, () => this.one(TYPES)),
      ...this.maybe('fields', 0.5, () => ({
        [this.one(['a', 'b'])]: this.constraint(),
        ...(this.random() < 0.3 && { a: this.constraint() }),
      })),
    };
    return Object.keys(pattern).length === 0 ? { primary_type: this.one(TYPES) } : pattern;
  }

  constraint(): FieldConstraint {
    const values = [...this.some(VALUES), this.one(VALUES)];
    const min = this.below(3);
    return this.one([
      this.one(VALUES),
      values,
      { min },
      { max: this.below(4) },
      { min, max: `${min + this.below(3)}` },
    ]);
  }

  transactions(): NonNullable<StoredPolicies['transactions']> {
    return {
      ...this.maybe('max_value', 0.3, () => this.below(4)),
      ...this.maybe('max_fee', 0.3, () => `${this.below(4) * 21_000}`),
      ...this.maybe('max_gas_limit', 0.3, () => 21_000 + this.below(3)),
      ...this.maybe('allow_contract_creation', 0.4, () => this.random() < 0.5),
      ...this.maybe('allowed_methods', 0.5, () =>
        this.list(4, () => ({
          ...this.maybe('to', 0.5, () => this.one(ADDRESSES)),
          selectors: [...new Set([...this.some(SELECTORS), this.one(SELECTORS)])],
        })),
      ),
      ...this.maybe('spend_limits', 0.2, () => this.list(2, () => ({ per: '1h', max_value: 1 }) as const)),
      ...this.maybe('approval_above', 0.3, () => this.below(4)),
    };
  }

  subject(): SignatureSubject {
    const kind = this.below(10);
    if (kind === 0) return { form: 'typed_data_hashes', domainSeparator: 'ab'.repeat(32) };
    if (kind < 5) return { form: 'typed_data', data: this.data() };
    if (kind < 6) return { form: 'message', message: this.one(MESSAGES) };
    const transaction = readTransaction(this.transaction());
    return { form: 'transaction', transaction, ...(this.random() < 0.5 && { isSent: true }) };
  }

  private data(): HashedTypedData {
    const members = (['a', 'b'] as const).map((name) => ({
      name,
      type: parseMemberType(this.one(MEMBER_TYPES), 'type'),
    }));
    return {
      domain: {
        separator: '0x',
        chainId: this.one([undefined, 1n, 2n]),
        verifyingContract: this.one([undefined, ...ADDRESSES]),
      },
      primaryType: this.one(TYPES),
      members,
      // Often not of the declared type, which the authorizer must not mistake for a match either.
      message: { a: this.one(VALUES), b: this.one(VALUES) },
      digest: new Uint8Array(32),
    };
  }

  private transaction(): object {
    const price = this.below(4);
    const common = {
      ...{ chain_id: 1, nonce: 0, gas_limit: 21_000 + this.below(3) },
      to: this.one([null, ...ADDRESSES]),
      value: this.below(5),
      data: this.one(['0x', '0xa9', '0xa9059cbb', '0x095ea7b3ff']),
    };
    return this.one([
      { ...common, type: 0, gas_price: price },
      { ...common, type: 2, max_fee_per_gas: price, max_priority_fee_per_gas: 0 },
      {
        ...{ ...common, type: 4, to: ADDRESSES[0], max_fee_per_gas: price, max_priority_fee_per_gas: 0 },
        authorization_list: [
          { chain_id: 0, address: ADDRESSES[1], nonce: 0, y_parity: 0, r: '0x1', s: '0x1' },
        ],
      },
    ]);
  }
}
