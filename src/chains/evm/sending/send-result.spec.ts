import { FakePool } from '../../../../test/support/fake-pool';
import { SeededRandom } from '../../../../test/support/seeded-random';
import { SEND_ERROR_EXAMPLES as EXAMPLES } from '../../../../test/support/send-error-examples';
import type { RpcPool } from '../../rpc/rpc-pool';
import { ownerOf } from '../node-errors';
import { SEND_CAUSES, type SendCause } from '../../send-cause';
import { causeOfSendError, sendRaw } from './send-result';

const RAW = '0x02f86b';
const HASH = `0x${'ab'.repeat(32)}`;

/** Causes that say nothing about the transaction. */
const OF_THE_ENDPOINT: readonly SendCause[] = ['rate_limited', 'unavailable'];

const CAUSES = SEND_CAUSES;

const ABOUT_THE_TRANSACTION = EXAMPLES.filter(([cause]) => !OF_THE_ENDPOINT.includes(cause));

describe('causeOfSendError', () => {
  it.each(EXAMPLES)('returns %s if %s reports %j', (cause, _client, message) => {
    expect(causeOfSendError({ code: -32000, message })).toBe(cause);
    expect(causeOfSendError({ code: -32603, message: `call failed: ${message}` })).toBe(cause);
    expect(causeOfSendError({ code: -32603, message: 'Server error', data: message })).toBe(cause);
  });

  it.each(ABOUT_THE_TRANSACTION)(
    'agrees with ownerOf that the endpoint is not at fault: %s, %s %j',
    (_cause, _client, message) => {
      for (const code of [-32000, -32003, -32005, -32010, -32603])
        expect(ownerOf({ code, message })).toBe('caller');
    },
  );

  it.each([
    ['unknown transaction'],
    ['nonce has max value'],
    ['authority nonce too low'],
    ['sender not an eoa'],
    ["invalid sender. can't start a transaction from a non-account"],
    ['Plugin has marked the transaction as invalid'],
    ['transaction invalid'],
    ['gas limit reached'],
    ['rlp: value size exceeds available input length'],
    ['Failed to decode signed transaction'],
    ['transaction type not supported: type 4 rejected, pool not yet in Prague'],
    ['Failed to create transaction'],
    ['request queue full'],
    ['fork supporting this transaction type is not activated yet'],
    ['Not enough gas for transaction validation'],
    ['Failed to pay the fee to the operator'],
    ['Request Entity Too Large'],
    ['out of gas'],
    ['something that nobody has seen before'],
    [''],
  ])('returns unknown for %j', (message) => {
    expect(causeOfSendError({ code: -32000, message })).toBe('unknown');
  });

  it('ignores the text of a revert reason', () => {
    for (const [, , text] of EXAMPLES)
      expect(causeOfSendError({ code: 3, message: `execution reverted: ${text}` })).toBe('unknown');
  });

  it('quickly returns one of the causes, whatever a node returns', () => {
    const random = new SeededRandom('send errors');
    const words = EXAMPLES.flatMap(([, , text]) => text.split(' '));
    const word = (): string =>
      random.below(4) === 0
        ? random.bytes(random.below(8)).toString('latin1')
        : words[random.below(words.length)]!;
    for (let i = 0; i < 3000; i += 1) {
      const message = random.list(12, word).join(random.below(5) === 0 ? '' : ' ');
      const data = [undefined, null, 1, {}, [], '0x', message][random.below(7)];
      expect(CAUSES).toContain(causeOfSendError({ code: random.below(100_000) - 50_000, message, data }));
    }
    for (const text of ['nonce ', 'already', 'gas limit ', 'transaction ', 'a', 'below '])
      expect(CAUSES).toContain(causeOfSendError({ code: 1, message: text.repeat(500_000) }));
  });
});

describe('sendRaw', () => {
  const start = (first: object, second: object = { result: HASH }) =>
    FakePool.start(
      { eth_sendRawTransaction: first as { result: unknown } },
      { eth_sendRawTransaction: second as { result: unknown } },
    );

  const sendOne = async (pool: RpcPool): Promise<SendCause | undefined> =>
    (await sendRaw(pool, [{ raw: RAW, hash: HASH }]))[0];

  it.each([HASH, HASH.toUpperCase().replace('0X', '0x'), `0x${'00'.repeat(32)}`])(
    'returns accepted for the hash %s',
    async (result) => {
      const fake = await start({ result });
      expect(await sendOne(fake.pool)).toBe('accepted');
      expect(fake.received).toEqual([['first', 'eth_sendRawTransaction']]);
    },
  );

  it.each([null, true, 1, '', '0x', '0xab', `0x${'zz'.repeat(32)}`, {}, [HASH], `${HASH}00`])(
    'sends the transaction to another node after the result %j',
    async (result) => {
      const fake = await start({ result });
      expect(await sendOne(fake.pool)).toBe('accepted');
      expect(fake.received.map(([which]) => which)).toEqual(['first', 'second']);
      expect(fake.states).toEqual(['resting', 'ready']);
    },
  );

  it('returns the rejection of the first node, and calls no other', async () => {
    const fake = await start({ error: { code: -32000, message: 'txpool is full' } });
    expect(await sendOne(fake.pool)).toBe('pool_full');
    expect(fake.received).toEqual([['first', 'eth_sendRawTransaction']]);
    expect(fake.states).toEqual(['ready', 'ready']);
  });

  it('passes on what the node says when it refuses a transaction', async () => {
    const said: unknown[] = [];
    const fake = await start({ error: { code: -32000, message: 'compliance hold\n4711 http://x/key' } });
    const refused = (...what: unknown[]): void => void said.push(what);
    await sendRaw(fake.pool, [{ raw: RAW, hash: HASH, refused }]);
    expect(said).toEqual([['unknown', 'compliance hold 4711 [url]']]);
  });

  it('sends the transaction to another node if one is rate limited', async () => {
    const fake = await start({ error: { code: -32005, message: 'daily request count exceeded' } });
    expect(await sendOne(fake.pool)).toBe('accepted');
  });

  it.each(['invalid chain id for signer: have 1 want 2', 'Wrong chainId'])(
    'uses no node that refuses the chain of the transaction until its chain has been verified: %s',
    async (message) => {
      const fake = await start({ error: { code: -32000, message } });
      expect(await sendOne(fake.pool)).toBe('accepted');
      expect(fake.states).toEqual(['wrong_chain', 'ready']);
      const both = await start({ error: { code: -32000, message } }, { error: { code: -32000, message } });
      const said: unknown[] = [];
      const refused = (...what: unknown[]): void => void said.push(what);
      expect(await sendRaw(both.pool, [{ raw: RAW, hash: HASH, refused }])).toEqual(['wrong_chain']);
      expect(said).toContainEqual(['wrong_chain', message]);
    },
  );

  it('returns unavailable if one node refuses the chain and another may have the transaction', async () => {
    const fake = await start({ error: { code: -32000, message: 'Wrong chainId' } });
    for (const { endpoint } of fake.pool.members) expect(endpoint.isReady).toBe(true);
    fake.nodes.set('https://second.example', 'timeout');
    expect(await sendOne(fake.pool)).toBe('unavailable');
  });

  it('returns unavailable if no node responds', async () => {
    const fake = await start({});
    for (const { endpoint } of fake.pool.members) expect(endpoint.isReady).toBe(true);
    fake.nodes.set('https://first.example', 'timeout').set('https://second.example', 'connection');
    expect(await sendOne(fake.pool)).toBe('unavailable');
  });

  it('returns the result of each transaction', async () => {
    const says = ([raw]: readonly unknown[]) =>
      raw === '0x00' ? { result: HASH } : { error: { code: -32000, message: 'txpool is full' } };
    const fake = await FakePool.start({ eth_sendRawTransaction: says });
    const transactions = ['0x00', '0x01', '0x00'].map((raw) => ({ raw, hash: HASH }));
    expect(await sendRaw(fake.pool, transactions)).toEqual(['accepted', 'pool_full', 'accepted']);
    expect(fake.received).toEqual(Array(3).fill(['first', 'eth_sendRawTransaction']));
    fake.nodes.set('https://first.example', 'timeout').set('https://second.example', 'connection');
    expect(await sendRaw(fake.pool, transactions)).toEqual(Array(3).fill('unavailable'));
  });
});
