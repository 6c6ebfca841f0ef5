import type { EvmPolicies } from '../../relayers/policies/evm-policies.dto';
import { readTransaction } from '../../chains/evm/transaction/unsigned-transaction';
import { authorizeSignature, type SignatureSubject } from './authorize-signature';

const SUBJECTS: SignatureSubject[] = [
  { form: 'typed_data_hashes', domainSeparator: 'ab'.repeat(32) },
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
      authorizeSignature({ policies, chainId: '1' }, subject);
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

  describe('of a transaction', () => {
    const transaction = readTransaction({
      ...{ type: 0, chain_id: 1, nonce: 0, gas_limit: 21_000, gas_price: 5, value: 100 },
      to: '0x3535353535353535353535353535353535353535',
    });
    const decideOn = (transactions: EvmPolicies['transactions'], how: object = {}) => {
      authorizeSignature(
        { policies: { transactions: transactions ?? {} }, chainId: '1' },
        { form: 'transaction', transaction, ...how },
      );
    };

    it('refuses to sign only what a spending limit would have to count', () => {
      const limited = { spend_limits: [{ per: '1h' as const, max_value: 1000 }] };
      expect(() => {
        decideOn(limited);
      }).toThrow(expect.objectContaining({ code: 'transaction_not_allowed' }));
      expect(() => {
        decideOn(limited, { isSent: true });
        decideOn({ spend_limits: [] });
      }).not.toThrow();
    });

    it.each([
      ['99', false],
      ['100', true],
      [undefined, true],
    ])('needs approval above %s wei, unless it was given', (approval_above, isAllowed) => {
      const decided = expect(() => {
        decideOn({ approval_above });
      });
      if (isAllowed) decided.not.toThrow();
      else decided.toThrow(expect.objectContaining({ code: 'transaction_not_allowed' }));
      expect(() => {
        decideOn({ approval_above }, { isApproved: true });
      }).not.toThrow();
    });
  });

  const NATIVE =
    'the domain is that of native transactions of ZKsync or Cosmos chains, to which policies for typed data do not apply: sign or send a transaction instead';
  /** The native domain of chain 7, which is no public chain of the ZK Stack, and of ZKsync Era. */
  const CHAIN_7 = '1d026e1e6996aa80e6ee2e79ce883b81a7c32e5cfc12ab412c8a63e70eb5f5ab';
  const ERA = '0x38d6914dece859729eb1096cb0287992db769d1cfb35027c07a15c58c30ee62e';
  const CRONOS = '0x4d101c922a15b497a4765174c0afe3143a3503aacf55ee9198f2ed5d5128c66d';

  const hashes = (domainSeparator: string): SignatureSubject => ({
    form: 'typed_data_hashes',
    domainSeparator,
  });
  const full = (separator: string, chainId: bigint, primaryType: string): SignatureSubject => ({
    form: 'typed_data',
    data: {
      domain: { separator, chainId, verifyingContract: undefined },
      ...{ primaryType, members: [], message: {}, digest: new Uint8Array(32) },
    },
  });

  it.each<[string, string | null, SignatureSubject]>([
    ['by hashes, of the own chain', '7', hashes(CHAIN_7)],
    ['by hashes, of ZKsync Era', '1', hashes(ERA)],
    ['by hashes, of ZKsync Era, on an unknown chain', null, hashes(ERA.toUpperCase().replace('0X', ''))],
    ['by hashes, of Cronos', '25', hashes(CRONOS)],
    ['by hashes, of Cronos, on another chain', '1', hashes(CRONOS)],
    ['in full', '7', full(`0x${CHAIN_7}`, 7n, 'Transaction')],
    ['in full, with another primary type', '324', full(ERA, 324n, 'Mail')],
  ])('rejects native transactions under any policies: %s', (_what, chainId, subject) => {
    for (const policies of [
      {},
      { typed_data: { allow_blind_hashes: true } },
      { typed_data: { allowed: [{ primary_type: 'Transaction' }] }, transactions: {} },
    ])
      expect(() => {
        authorizeSignature({ policies, chainId }, subject);
      }).toThrow(expect.objectContaining({ code: 'typed_data_not_allowed', detail: NATIVE }));
  });

  it('allows hashes with the native domain of a chain that is neither its own nor known', () => {
    expect(() => {
      authorizeSignature({ policies: {}, chainId: '1' }, hashes(CHAIN_7));
    }).not.toThrow();
  });

  it('rejects everything under malformed stored policies', () => {
    const broken = { typed_data: null, messages: null, transactions: null } as unknown as EvmPolicies;
    expect(decide(broken)).not.toContain(true);
  });
});
