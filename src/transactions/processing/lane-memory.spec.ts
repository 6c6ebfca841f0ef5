import type { AttemptContent } from '../../chains/transaction-chain';
import type { TransactionStatus } from '../transaction-status';
import { LaneMemory } from './lane-memory';

describe('LaneMemory', () => {
  let now: number;
  let memory: LaneMemory;

  beforeEach(() => {
    now = 0;
    memory = new LaneMemory(() => now);
  });

  it('doubles the pause after each failure up to 30 s, and resets it after a success', () => {
    const pauses: number[] = [];
    for (let i = 0; i < 9; i += 1) {
      memory.failed('a');
      const from = now;
      while (!memory.mayTry('a')) now += 100;
      pauses.push(now - from);
    }
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    memory.succeeded('a');
    memory.failed('a');
    expect(memory.nextTry).toBe(500);
  });

  it('waits for another block if that is required, but no longer than 30 s', () => {
    memory.failed('a', 7);
    now += 499;
    expect(memory.mayTry('a', 8)).toBe(false);
    now += 1;
    expect([memory.mayTry('a', 7), memory.mayTry('a', 8)]).toEqual([false, true]);
    now += 29_499;
    expect(memory.mayTry('a', 7)).toBe(false);
    now += 1;
    expect(memory.mayTry('a', 7)).toBe(true);
  });

  it('returns when the next of all pauses ends', () => {
    expect(memory.nextTry).toBeUndefined();
    memory.failed('a');
    memory.failed('a');
    now += 300;
    memory.failed('b');
    expect(memory.nextTry).toBe(500);
    now += 600;
    expect(memory.nextTry).toBe(100);
    memory.forget('a');
    expect(memory.nextTry).toBeUndefined();
  });

  it('doubts again that a nonce is used after it was unused, or its transaction had a receipt', () => {
    const hasLasted = (): boolean => {
      const first = memory.hasLastedUse({ id: 'a', nonce: 3 }, 100);
      now += 20_000;
      return first;
    };
    expect([hasLasted(), hasLasted()]).toEqual([false, true]);
    memory.unusedFrom(4);
    expect(hasLasted()).toBe(true);
    memory.unusedFrom(3);
    expect([hasLasted(), hasLasted()]).toEqual([false, true]);
    memory.settledUse('a');
    expect([hasLasted(), hasLasted()]).toEqual([false, true]);
    memory.forget('a');
    expect(hasLasted()).toBe(false);
  });

  it('knows which attempts nodes refuse because they cost too much', () => {
    const attempted = (hash: string, status: TransactionStatus = 'sent') => ({
      ...{ id: 'a', status, attempt: { hash } as AttemptContent },
    });
    expect(memory.isTooExpensive(attempted('0x1'))).toBe(false);
    memory.setTooExpensive(attempted('0x1'), true);
    expect(memory.isTooExpensive(attempted('0x1'))).toBe(true);
    expect(memory.isTooExpensive(attempted('0x2'))).toBe(false);
    expect(memory.isTooExpensive(attempted('0x1', 'submitted'))).toBe(false);
    memory.setTooExpensive(attempted('0x1'), false);
    expect(memory.isTooExpensive(attempted('0x1'))).toBe(false);
    memory.setTooExpensive(attempted('0x1'), true);
    memory.forget('a');
    expect(memory.isTooExpensive(attempted('0x1'))).toBe(false);
  });
});
