import type { ReleaseSlot } from '../../background/slots';
import { DeliverySlots } from './delivery-slots';

describe('DeliverySlots', () => {
  let slots: DeliverySlots;

  beforeEach(() => {
    slots = new DeliverySlots();
  });

  const take = (notificationId: string, host: string) => slots.take({ notificationId, host });

  const takeAll = (receiver: string, host = receiver): ReleaseSlot<boolean>[] => {
    const taken: ReleaseSlot<boolean>[] = [];
    for (let release = take(receiver, host); release; release = take(receiver, host)) taken.push(release);
    return taken;
  };

  const knownHosts = () => (slots as unknown as { hosts: Map<string, unknown> }).hosts.size;

  const prove = (receiver: string, host = receiver): void => {
    for (let i = 0; i < 20; i += 1) take(receiver, host)!(true);
  };

  it('give a receiver one slot at first, up to 16 as it accepts deliveries, and one again after a failure', () => {
    expect(takeAll('a')).toHaveLength(1);
    prove('b');
    expect(takeAll('b')).toHaveLength(16);
    prove('c');
    take('c', 'c')!(false);
    expect(takeAll('c')).toHaveLength(1);
  });

  it('keep the limit of a receiver when an attempt says nothing about it', () => {
    prove('a');
    take('a', 'a')!(undefined);
    expect(takeAll('a')).toHaveLength(16);
  });

  it('give a host 64, half of which are open to receivers that have not responded yet', () => {
    const doubtful = Array.from({ length: 40 }, (_, i) => takeAll(`doubtful ${i}`, 'host'));
    expect(doubtful.flat()).toHaveLength(32);
    for (const name of ['a', 'b', 'c']) prove(name, 'other host');
    expect(['a', 'b', 'c'].flatMap((name) => takeAll(name, 'host'))).toHaveLength(32);
  });

  it('number 256 in total, half of which are open to receivers that have not responded yet', () => {
    const proven = Array.from({ length: 20 }, (_, i) => `proven ${i}`);
    for (const name of proven) prove(name);
    const doubtful = Array.from({ length: 200 }, (_, i) => takeAll(`doubtful ${i}`)).flat();
    expect(doubtful).toHaveLength(128);
    expect(proven.flatMap((name) => takeAll(name))).toHaveLength(128);
    expect(slots.free).toBe(0);
  });

  it('list the receivers that can get no slot now, including those that never had one', () => {
    const taken = takeAll('a');
    prove('b');
    take('b', 'b');
    expect(slots.full).toEqual(['a']);
    taken[0]!(true);
    expect(slots.full).toEqual([]);
    for (let i = 0; i < 100; i += 1) take(`doubtful ${i}`, 'host');
    expect(slots.full).toContain('doubtful 99');
  });

  it('are all free again once released', () => {
    const taken = Array.from({ length: 100 }, (_, i) => takeAll(`receiver ${i}`)).flat();
    for (const release of taken) release(false);
    expect(slots.free).toBe(256);
    expect(slots.full).toEqual([]);
  });

  it('forget idle receivers when there are too many, but no attempt in progress', () => {
    const kept = takeAll('kept');
    for (let i = 0; i < 10_001; i += 1) take(`receiver ${i}`, 'host')!(true);
    expect(take('kept', 'kept')).toBeUndefined();
    for (const release of kept) release();
    expect(slots.free).toBe(256);
  });

  it('retain no host without attempts, however many receivers are retained', () => {
    const kept = takeAll('kept', 'shared');
    for (let i = 0; i < 1000; i += 1) take(`receiver ${i}`, `host ${i}`)!(true);
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
    for (const name of ['a', 'b', 'c', 'd']) prove(name, 'host');
    expect(['a', 'b', 'c', 'd'].flatMap((name) => takeAll(name, 'host'))).toHaveLength(64);
    expect(slots.full).toContain('idle');
  });
});
