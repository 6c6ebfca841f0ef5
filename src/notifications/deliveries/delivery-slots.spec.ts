import type { ReleaseSlot } from '../../background/slots';
import { type Conduct, DeliverySlots } from './delivery-slots';

const ACCEPTED: Conduct = { response: 'accepted', ms: 20 };
const ACCEPTED_LATE: Conduct = { response: 'accepted', ms: 9900 };
const REFUSED: Conduct = { response: 'refused', ms: 20 };
const HUNG: Conduct = { response: 'none', ms: 10_000 };

describe('DeliverySlots', () => {
  let slots: DeliverySlots;
  let now: number;

  beforeEach(() => {
    now = 0;
    slots = new DeliverySlots(() => now);
  });

  const take = (notificationId: string, host: string) => slots.take({ notificationId, host });

  const takeAll = (receiver: string, host = receiver): ReleaseSlot<Conduct>[] => {
    const taken: ReleaseSlot<Conduct>[] = [];
    for (let release = take(receiver, host); release; release = take(receiver, host)) taken.push(release);
    return taken;
  };

  const knownHosts = () => (slots as unknown as { hosts: Map<string, unknown> }).hosts.size;

  const prove = (receiver: string, host = receiver): void => {
    for (let i = 0; i < 20; i += 1) take(receiver, host)!(ACCEPTED);
  };

  it('give a receiver one slot at first, up to 16 as it accepts deliveries, and one again after a failure', () => {
    expect(takeAll('a')).toHaveLength(1);
    prove('b');
    expect(takeAll('b')).toHaveLength(16);
    prove('c');
    take('c', 'c')!(HUNG);
    expect(takeAll('c')).toHaveLength(1);
  });

  it.each([
    ['fails', REFUSED],
    ['says nothing about it', undefined],
  ])('keep the limit of a receiver when an attempt %s', (_how, conduct) => {
    prove('a');
    take('a', 'a')!(conduct);
    expect(takeAll('a')).toHaveLength(16);
  });

  it('give a host 64: 32 to receivers that hang, 48 with new ones, and 16 only to receivers without an attempt', () => {
    const hanging = Array.from({ length: 40 }, (_, i) => `hanging ${i}`);
    for (const name of hanging) take(name, 'host')!(HUNG);
    now += 2000;
    expect(hanging.flatMap((name) => takeAll(name, 'host'))).toHaveLength(32);
    for (const name of ['a', 'b']) prove(name, 'other host');
    const fresh = Array.from({ length: 40 }, (_, i) => takeAll(`new ${i}`, 'host'));
    expect(fresh.flat()).toHaveLength(16);
    expect(['a', 'b'].map((name) => takeAll(name, 'host').length)).toEqual([1, 1]);
    for (const [release] of fresh) release?.(ACCEPTED);
    expect(takeAll('a', 'host')).toHaveLength(14);
  });

  it('number 256 in total: 128 for receivers that hang, 192 with new ones, and the rest for quick ones', () => {
    const named = (kind: string) => Array.from({ length: 200 }, (_, i) => `${kind} ${i}`);
    for (const name of named('hanging')) take(name, name)!(HUNG);
    for (const name of named('quick')) prove(name);
    now += 2000;
    expect(named('hanging').flatMap((name) => takeAll(name))).toHaveLength(128);
    expect(named('new').flatMap((name) => takeAll(name))).toHaveLength(64);
    expect(named('quick').flatMap((name) => takeAll(name))).toHaveLength(64);
    expect(slots.free).toBe(0);
  });

  it('give receivers that hang one slot each per round once slow ones use a quarter, but not those that respond', () => {
    const late = ['a', 'b', 'c', 'd', 'e'];
    for (const name of late) for (let i = 0; i < 20; i += 1) take(name, name)!(ACCEPTED_LATE);
    for (const name of ['f', 'g']) take(name, name)!(HUNG);
    now += 2000;
    expect(['a', 'b', 'c', 'd'].map((name) => takeAll(name).length)).toEqual([16, 16, 16, 16]);
    take('f', 'f')!(HUNG);
    expect(take('f', 'f')).toBeUndefined();
    expect(takeAll('g')).toHaveLength(1);
    expect(takeAll('e')).toHaveLength(16);
    now += 2000;
    expect(takeAll('f')).toHaveLength(1);
  });

  it('give a quick receiver no further slot of the last quarter, which others need for their first one', () => {
    const quick = Array.from({ length: 12 }, (_, i) => `quick ${i}`);
    for (const name of [...quick, 'busy', 'idle']) prove(name);
    expect(quick.flatMap((name) => takeAll(name))).toHaveLength(192);
    expect(takeAll('busy')).toHaveLength(1);
    expect(takeAll('idle')).toHaveLength(1);
    expect(slots.full).toContain('busy');
  });

  it('give a slow receiver a slot that a quick one releases', () => {
    take('slow', 'slow')!(HUNG);
    const quick = Array.from({ length: 100 }, (_, i) => `quick ${i}`);
    for (const name of quick) prove(name);
    const taken = quick.flatMap((name) => takeAll(name));
    expect(slots.free).toBe(0);
    now += 2000;
    expect(take('slow', 'slow')).toBeUndefined();
    taken[0]!(ACCEPTED);
    expect(take('slow', 'slow')).toBeDefined();
  });

  it('list the receivers that can get no slot now, including those that never had one', () => {
    const taken = takeAll('a');
    prove('b');
    take('b', 'b');
    expect(slots.full).toEqual(['a']);
    taken[0]!(ACCEPTED);
    expect(slots.full).toEqual([]);
    for (let i = 0; i < 100; i += 1) take(`doubtful ${i}`, 'host');
    expect(slots.full).toContain('doubtful 99');
  });

  it('are all free again once released', () => {
    const taken = Array.from({ length: 100 }, (_, i) => takeAll(`receiver ${i}`)).flat();
    for (const release of taken) release(HUNG);
    expect(slots.free).toBe(256);
    expect(slots.full).toHaveLength(100);
    expect(slots.full).toEqual([]);
  });

  it('list a receiver that got no slot for a delivery that was read, until no further one is read', () => {
    prove('a');
    const taken = takeAll('a');
    expect(taken[0]!(ACCEPTED)).toBe(true);
    expect(slots.full).toEqual(['a']);
    expect(taken[1]!(ACCEPTED)).toBe(true);
    expect(slots.full).toEqual([]);
    expect(taken[2]!(ACCEPTED)).toBe(false);
  });

  it('say when a receiver of which others were read first has a slot', () => {
    const [release] = takeAll('a');
    expect(slots.full).toEqual(['a']);
    expect(slots.isNextDue).toBe(false);
    release!(REFUSED);
    expect(slots.isNextDue).toBe(true);
    expect(slots.full).toEqual([]);
    expect(slots.isNextDue).toBe(false);
  });

  it('forget idle receivers when there are too many, but no attempt in progress', () => {
    const kept = takeAll('kept');
    for (let i = 0; i < 10_001; i += 1) take(`receiver ${i}`, 'host')!(ACCEPTED);
    expect(take('kept', 'kept')).toBeUndefined();
    for (const release of kept) release();
    expect(slots.free).toBe(256);
  });

  it('retain no host without attempts, however many receivers are retained', () => {
    const kept = takeAll('kept', 'shared');
    for (let i = 0; i < 1000; i += 1) take(`receiver ${i}`, `host ${i}`)!(ACCEPTED);
    expect(knownHosts()).toBe(1);
    for (const release of kept) release();
    expect(knownHosts()).toBe(0);
  });

  it('count towards the host at which an attempt started, even if its receiver has moved', () => {
    prove('a', 'old host');
    const old = takeAll('a', 'old host').slice(0, 8);
    expect(take('a', 'new host')).toBeUndefined();
    for (const release of old) release();
    expect(takeAll('a', 'new host')).toHaveLength(8);
    expect(knownHosts()).toBe(2);
  });

  it('list the receivers of a full host, including one that was idle while others filled it', () => {
    prove('idle', 'host');
    const others = Array.from({ length: 70 }, (_, i) => `other ${i}`);
    for (const name of others) prove(name, 'host');
    expect(others.flatMap((name) => takeAll(name, 'host'))).toHaveLength(64);
    expect(slots.full).toContain('idle');
  });
});
