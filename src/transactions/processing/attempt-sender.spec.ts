import { Logger } from '@nestjs/common';
import { sendable, startSender } from '../../../test/support/attempt-sender';
import type { SendCause } from '../../chains/send-cause';
import type { Fit } from '../../chains/transaction-chain';
import { NO_FUNDS_REASON, type Sendable } from './attempt-signer';
import { renewalOf } from './lane-memory';

const many = (count: number): Sendable[] => Array.from({ length: count }, (_, i) => sendable(`0x${i}`));

describe('AttemptSender', () => {
  it('sends up to 32 transactions in one request', async () => {
    const { send, requests, stored } = startSender();
    expect(await send(many(70))).toBe(true);
    expect(requests.map(({ length }) => length)).toEqual([32, 32, 6]);
    expect(requests.flat()).toEqual(many(70).map(({ row }) => row.id));
    expect(stored).toEqual(Array(70).fill('submitted'));
  });

  it('logs what a node says, once for each transaction and cause', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const { send, memory, says } = startSender();
    for (const cause of ['unknown', 'unknown', 'invalid', 'unknown', 'pool_full', 'accepted'] as const) {
      says['0x0'] = cause;
      await send([sendable('0x0')]);
    }
    const lineOf = (cause: string) => [
      'A node refused a transaction',
      { relayer_id: 'r', transaction: '0x0', cause, text: `text of ${cause}` },
    ];
    expect(warn.mock.calls).toEqual([lineOf('unknown'), lineOf('invalid')]);
    memory.forget('0x0');
    says['0x0'] = 'unknown';
    await send([sendable('0x0')]);
    expect(warn).toHaveBeenCalledTimes(3);
    warn.mockRestore();
  });

  it('stores which attempts nodes have accepted, also for transactions that are already submitted', async () => {
    const { send, known } = startSender({ says: { '0x2': 'pool_full' } });
    const [first, second, third] = many(3) as [Sendable, Sendable, Sendable];
    second.row.status = 'submitted';
    await send([first, second, third]);
    expect(known).toEqual(['0x0', '0x1']);
  });

  it.each([
    ['0x0', { speed: 'fast' }, null],
    ['0x1', { speed: 'fast' }, null],
    ['0x0', { speed: null }, 'Waiting: a node has another transaction with this nonce and higher fees'],
    ['0x1', { speed: null }, null],
  ])(
    'stores which attempt holds the nonce after replacement_underpriced: %s of a request with %j',
    async (holder, request, reason) => {
      const { send, stored, reasons, known, ofNodes } = startSender({
        says: { '0x1': 'replacement_underpriced' },
      });
      ofNodes.push(holder);
      const replaced = sendable('0x1');
      Object.assign(replaced.row, { hashes: ['0x0', '0x1'], request });
      await send([replaced]);
      expect([stored, reasons, known]).toEqual([['submitted'], [reason], [holder]]);
    },
  );

  it('stores the results of sending even if no node can say which attempt holds a nonce', async () => {
    const { send, stored, reasons, known, repriced, unanswered } = startSender({
      says: { '0x1': 'replacement_underpriced' },
    });
    unanswered.push('0x1');
    expect(await send(many(2))).toBe(false);
    expect(stored).toEqual(['submitted', undefined]);
    expect(reasons[1]).toBe('Perhaps sent: no node has confirmed that it received it');
    // Until it is known, nothing is to be outbid.
    expect([known, repriced]).toEqual([['0x0'], []]);
  });

  it('finds the attempt that holds a nonce although no node responds for another attempt', async () => {
    const sender = startSender({ says: { '0x1': 'replacement_underpriced' } });
    sender.ofNodes.push('0x0');
    sender.unanswered.push('0x1');
    const replaced = sendable('0x1');
    Object.assign(replaced.row, { hashes: ['0x0', '0x1'], request: { speed: 'fast' } });
    await sender.send([replaced]);
    expect([sender.stored, sender.known]).toEqual([['submitted'], ['0x0']]);
  });

  it.each([
    ['nonce_too_high', [false, true]],
    ['pool_full', [true, true]],
  ] as const)(
    'waits for another block only if lower nonces must be mined first: %s',
    async (cause, expected) => {
      const { send, memory, time } = startSender({ says: { '0x0': cause } });
      await send([sendable('0x0')]);
      time.now = 10_000;
      expect([memory.mayTry('0x0', 100), memory.mayTry('0x0', 101)]).toEqual(expected);
    },
  );

  it('keeps the reason why no attempt with higher fees follows', async () => {
    const { send, changed, memory } = startSender();
    const attempt = sendable('0x0');
    await send([attempt]);
    memory.failed(renewalOf('0x0'));
    await send([attempt]);
    expect(changed.map((changes) => 'statusReason' in changes)).toEqual([true, false]);
  });

  it.each<[SendCause, boolean, string | undefined]>([
    ['insufficient_funds', false, NO_FUNDS_REASON],
    ['unknown', false, 'Waiting: a node has refused it for a reason that is not known'],
    // A node that has accepted this attempt may still have it.
    ['insufficient_funds', true, undefined],
  ])(
    'says that the newest attempt of a submitted transaction was refused: %s, acknowledged %s: %s',
    async (cause, wasAcknowledged, reason) => {
      const { send, reasons, known } = startSender({ says: { '0x1': cause } });
      if (wasAcknowledged) known.push('0x1');
      const replaced = sendable('0x1');
      Object.assign(replaced.row, { hashes: ['0x0', '0x1'], status: 'submitted' });
      await send([replaced]);
      expect(reasons).toEqual([reason]);
    },
  );

  describe('that nodes refuse', () => {
    const TOO_EXPENSIVE = 'Waiting: the fees are above the limit of the node';

    /** Sends the second attempt of a transaction whose first one nodes have accepted. */
    async function sendNewest(says: Record<string, SendCause>, given: object = {}, isSignedForm = true) {
      const sender = startSender({ says });
      sender.known.push('0x0');
      sender.doubts.isSignedForm = isSignedForm;
      const newest = sendable('0x1');
      Object.assign(newest.row, {
        hashes: ['0x0', '0x1'],
        status: 'submitted',
        request: { speed: 'fast' },
        ...given,
      });
      const isTaken = await sender.send([newest]);
      return { sent: sender.requests.flat(), isTaken, reason: sender.reasons[0], known: sender.known };
    }

    it.each(['fee_above_limit', 'insufficient_funds', 'invalid', 'unknown'] as const)(
      'is followed by the one that they accepted before, which they may have dropped: %s',
      async (cause) => {
        const { sent, isTaken, known } = await sendNewest({ '0x1': cause });
        expect({ sent, isTaken, known }).toEqual({
          sent: ['0x1', '0x0'],
          isTaken: true,
          known: ['0x0', '0x0'],
        });
      },
    );

    it('still explains the refusal', async () => {
      expect(await sendNewest({ '0x1': 'fee_above_limit' })).toMatchObject({ reason: TOO_EXPENSIVE });
      const says = { '0x1': 'fee_above_limit', '0x0': 'fee_too_low' } as const;
      expect(await sendNewest(says)).toMatchObject({ isTaken: false, reason: TOO_EXPENSIVE });
    });

    it.each<[string, SendCause, object, boolean]>([
      ['has other content', 'fee_above_limit', {}, false],
      ['would be refused as well', 'fee_too_low', {}, true],
      ['was never accepted', 'fee_above_limit', { status: 'sent' }, true],
      ['is the newest', 'fee_above_limit', { attempt: { hash: '0x0' } }, true],
    ])('is not followed by one that %s', async (_which, cause, given, isSignedForm) => {
      const { sent } = await sendNewest({ '0x1': cause, '0x0': cause }, given, isSignedForm);
      expect(sent).toHaveLength(1);
    });
  });

  it('says that the no-op of a cancellation waits for funds, as long as it does', async () => {
    const { send, reasons, says } = startSender();
    const canceled = sendable('0x1');
    for (const cause of ['insufficient_funds', 'pool_full', 'insufficient_funds', 'accepted'] as const) {
      says['0x1'] = cause;
      const statusReason = reasons.at(-1) ?? 'Expired';
      Object.assign(canceled.row, { status: 'submitted', abandonedAs: 'expired', statusReason });
      await send([canceled]);
    }
    const waiting = 'Expired; its no-op waits for funds';
    expect(reasons).toEqual([waiting, 'Expired', waiting, 'Expired']);
  });

  it('knows which attempt a private endpoint holds after it refused a later one', async () => {
    const sender = startSender({
      ...{ says: { '0x1': 'replacement_underpriced' }, policies: { private_transactions: true } },
    });
    const replaced = sendable('0x1');
    Object.assign(replaced.row, { hashes: ['0x0', '0x1'], status: 'submitted', request: { speed: 'fast' } });
    await sender.send([replaced]);
    expect([sender.known, sender.repriced]).toEqual([[], ['0x1']]);
    sender.known.push('0x0');
    sender.time.now += 1000;
    await sender.send([replaced]);
    expect(sender.known).toEqual(['0x0', '0x0']);
    expect(sender.stored.at(-1)).toBe('submitted');
  });

  it.each([
    ['noop', 'unknown', { isShortOfGas: true }, true],
    ['noop', 'invalid', { isShortOfGas: true }, true],
    ['noop', 'unknown', { isOutpriced: true }, true],
    ['noop', 'unknown', {}, false],
    ['noop', 'pool_full', { isOutpriced: true }, true],
    ['noop', 'pool_full', { isShortOfGas: true }, false],
    ['request', 'unknown', { isShortOfGas: true, isOutpriced: true }, false],
  ] as const)('replaces a %s rejected as %s, given %j: %s', async (kind, cause, given, is) => {
    const { send, repriced, doubts } = startSender({ says: { '0x1': cause } });
    Object.assign(doubts, given);
    const refused = sendable('0x1');
    Object.assign(refused.row, { attempt: { hash: '0x1', kind }, abandonedAs: 'canceled' });
    await send([refused]);
    expect(repriced).toEqual(is ? ['0x1'] : []);
  });

  describe.each(['fee_too_low', 'replacement_underpriced'] as const)('rejected as %s', (cause) => {
    it.each([
      ['sent', false, false, true],
      ['submitted', false, false, true],
      ['submitted', true, false, false],
      ['submitted', true, true, true],
    ] as const)(
      'reprices an attempt that no node is known to have: %s, acknowledged %s, outpriced %s: %s',
      async (status, wasAcknowledged, isOutpriced, is) => {
        const { send, repriced, doubts, known } = startSender({ says: { '0x1': cause } });
        doubts.isOutpriced = isOutpriced;
        if (wasAcknowledged) known.push('0x1');
        const refused = sendable('0x1');
        Object.assign(refused.row, { status, request: { speed: 'fast' } });
        await send([refused]);
        expect(repriced).toEqual(is ? ['0x1'] : []);
      },
    );
  });

  /** Sends an attempt that a node has acknowledged, three times. @returns the changes after each */
  async function sendInvalid(given: object, causes: readonly SendCause[], fit: Fit = 'now') {
    const { send, says, changed, doubts, known, time, view } = startSender();
    doubts.fit = fit;
    known.push('0x1');
    for (const cause of causes) {
      says['0x1'] = cause;
      const refused = sendable('0x1');
      Object.assign(refused.row, { status: 'submitted', sentAt: new Date(), ...given });
      await send([refused]);
      time.now += 4000;
      view.head += 2;
    }
    return changed;
  }

  it('gives up an attempt that a node had accepted once nodes have refused it as invalid for a while', async () => {
    expect(await sendInvalid({}, ['invalid', 'invalid'])).toEqual([
      // It is soon sent again, to see whether that lasts.
      { broadcastAt: null },
      {
        ...{ broadcastAt: expect.any(Date), abandonedAs: 'failed', needsAttempt: true },
        statusReason: 'A node considers it invalid',
      },
    ]);
  });

  it.each<[string, object, readonly SendCause[], Fit]>([
    ['once', {}, ['invalid'], 'now'],
    ['not all the time', {}, ['invalid', 'accepted', 'invalid'], 'now'],
    ['because blocks have less gas now', {}, ['invalid', 'invalid'], 'later'],
    ['as a no-op', { isFiller: true }, ['invalid', 'invalid'], 'now'],
    ['after it was canceled', { abandonedAs: 'canceled' }, ['invalid', 'invalid'], 'now'],
  ])('does not give up what nodes call invalid %s', async (_what, given, causes, fit) => {
    const changed = await sendInvalid(given, causes, fit);
    expect(changed.map(({ abandonedAs }) => abandonedAs)).toEqual(causes.map(() => undefined));
  });

  it.each([
    ['sent', 'fast', true, 'unknown', true],
    // A full pool leaves out those that pay least.
    ['sent', 'fast', true, 'pool_full', true],
    ['sent', 'fast', true, 'in_flight_limit', false],
    ['sent', 'fast', false, 'unknown', false],
    ['sent', 'fast', false, 'pool_full', false],
    ['sent', null, true, 'unknown', false],
    ['sent', null, true, 'pool_full', false],
    // Its fees are raised at the head of the queue.
    ['submitted', 'fast', true, 'unknown', false],
    ['submitted', 'fast', true, 'pool_full', false],
  ] as const)(
    'reprices a request that is refused for a reason that may be its fees: %s, speed %s, outpriced %s, %s: %s',
    async (status, speed, isOutpriced, cause, is) => {
      const { send, repriced, doubts } = startSender({ says: { '0x1': cause } });
      doubts.isOutpriced = isOutpriced;
      const refused = sendable('0x1');
      Object.assign(refused.row, { status, request: { speed } });
      await send([refused]);
      expect(repriced).toEqual(is ? ['0x1'] : []);
    },
  );

  it.each<[SendCause, boolean]>([
    ['insufficient_funds', true],
    ['fee_above_limit', true],
    ['fee_too_low', false],
    ['pool_full', false],
    ['unavailable', false],
    ['accepted', false],
  ])('remembers whether an attempt costs too much: %s: %s', async (cause, is) => {
    const { send, memory, says } = startSender({ says: { '0x1': 'insufficient_funds' } });
    const sent = sendable('0x1');
    await send([sent]);
    expect(memory.isTooExpensive(sent.row)).toBe(true);
    says['0x1'] = cause;
    await send([sent]);
    expect(memory.isTooExpensive(sent.row)).toBe(is);
  });

  it('splits large transactions across several requests', async () => {
    const { send, requests } = startSender();
    const large = `0x${'00'.repeat(128 * 1024)}`;
    await send(['0x0', '0x1', '0x2'].map((hash) => sendable(hash, large)));
    expect(requests).toEqual([['0x0'], ['0x1'], ['0x2']]);
  });

  it('sends one at a time when the chain requires order, and stops at the first one rejected', async () => {
    const { send, requests } = startSender({ inOrder: true, says: { '0x1': 'pool_full' } });
    expect(await send(many(3))).toBe(false);
    expect(requests).toEqual([['0x0'], ['0x1']]);
  });

  it('stops after a request in which one transaction was rejected, and next sends that one alone', async () => {
    const { send, requests, stored, says } = startSender({ says: { '0x1': 'pool_full' } });
    expect(await send(many(40))).toBe(false);
    expect(requests.map(({ length }) => length)).toEqual([32]);
    expect(stored.slice(0, 3)).toEqual(['submitted', undefined, 'submitted']);
    const rest = many(40).slice(1);
    expect(await send(rest)).toBe(false);
    expect(requests.slice(1)).toEqual([['0x1']]);
    says['0x1'] = 'accepted';
    expect(await send(rest)).toBe(true);
    expect(requests.slice(2).map(({ length }) => length)).toEqual([1, 32, 6]);
  });
});
