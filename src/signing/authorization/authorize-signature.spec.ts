import type { EvmPolicies } from '../../relayers/policies/evm-policies.dto';
import { readTransaction } from '../../chains/evm/transaction/unsigned-transaction';
import { authorizeSignature, type SignatureSubject } from './authorize-signature';

const SUBJECTS: SignatureSubject[] = [
  { form: 'typed_data_hashes' },
  {
    form: 'typed_data',
    data: {
      domain: { separator: '0x', chainId: undefined, verifyingContract: undefined },
      primaryType: 'Mail',
      members: [],
      message: {},
      digest: new Uint8Array(32),
    },
  },
  { form: 'message', message: Buffer.from('text') },
  {
    form: 'transaction',
    transaction: readTransaction({
      ...{ type: 0, chain_id: 1, nonce: 0, gas_limit: 21_000, gas_price: 5 },
      to: '0x3535353535353535353535353535353535353535',
    }),
  },
];

const decide = (policies: EvmPolicies): (string | true)[] =>
  SUBJECTS.map((subject) => {
    try {
      authorizeSignature(policies, subject);
      return true;
    } catch (error) {
      const { code, detail } = error as { code: string; detail: string };
      return `${code}: ${detail}`;
    }
  });

const no = {
  hashes: (set: string) =>
    `typed_data_not_allowed: policies.${set} is set, and policies.typed_data.allow_blind_hashes is not true`,
  typedData: (set: string) =>
    `typed_data_not_allowed: policies.${set} is set, and policies.typed_data is not`,
  messages: (set: string) => `message_not_allowed: policies.${set} is set, and policies.messages is not`,
  transactions: (set: string) =>
    `transaction_not_allowed: policies.${set} is set, and policies.transactions is not`,
};

describe('authorizeSignature', () => {
  it.each<[EvmPolicies, (string | true)[]]>([
    [{}, [true, true, true, true]],
    [{ min_balance: 1, gas_price_cap: 5 }, [true, true, true, true]],
    [
      { typed_data: {} },
      [no.hashes('typed_data'), true, no.messages('typed_data'), no.transactions('typed_data')],
    ],
    [
      { typed_data: { allow_blind_hashes: true } },
      [true, true, no.messages('typed_data'), no.transactions('typed_data')],
    ],
    [
      { messages: { allow: 'any' } },
      [no.hashes('messages'), no.typedData('messages'), true, no.transactions('messages')],
    ],
    [
      { transactions: {} },
      [no.hashes('transactions'), no.typedData('transactions'), no.messages('transactions'), true],
    ],
    [
      { typed_data: { allow_blind_hashes: true }, messages: { allow: 'any' }, transactions: {} },
      [true, true, true, true],
    ],
  ])('decides with the policies %j', (policies, decisions) => {
    expect(decide(policies)).toEqual(decisions);
  });

  it('rejects everything under malformed stored policies', () => {
    const broken = { typed_data: null, messages: null, transactions: null } as unknown as EvmPolicies;
    expect(decide(broken)).not.toContain(true);
  });
});
