import { Doubts } from './doubts';

describe('Doubts', () => {
  let now: number;
  let doubts: Doubts;

  beforeEach(() => {
    now = 1000;
    doubts = new Doubts(() => now);
  });

  it('does not accept a single response', () => {
    expect(doubts.hasLasted('nonce', 7)).toBe(false);
    now += 3_600_000;
    expect(doubts.hasLasted('head', 7)).toBe(false);
  });

  it('accepts a state that has lasted 4 s and two blocks', () => {
    doubts.hasLasted('nonce', 7);
    now += 3999;
    expect(doubts.hasLasted('nonce', 9)).toBe(false);
    now += 1;
    expect(doubts.hasLasted('nonce', 8)).toBe(false);
    expect(doubts.hasLasted('nonce', 9)).toBe(true);
  });

  it('accepts a state that has lasted 20 s without new blocks', () => {
    doubts.hasLasted('nonce', 7);
    now += 19_999;
    expect(doubts.hasLasted('nonce', 7)).toBe(false);
    now += 1;
    expect(doubts.hasLasted('nonce', 7)).toBe(true);
  });

  it('starts over after the doubt is settled', () => {
    doubts.hasLasted('nonce', 7);
    now += 60_000;
    doubts.settled('nonce');
    expect(doubts.hasLasted('nonce', 70)).toBe(false);
  });
});
