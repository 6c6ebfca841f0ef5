import { Allowance } from './allowance';

describe('Allowance', () => {
  it('allows a burst, and then the rate per second', () => {
    let now = 1000;
    const allowance = new Allowance(2, 3, () => now);
    const taken = (): number => Array.from({ length: 10 }, () => allowance.take()).filter(Boolean).length;
    expect(taken()).toBe(3);
    now += 499;
    expect(taken()).toBe(0);
    now += 1;
    expect(taken()).toBe(1);
    now += 3_600_000;
    expect(taken()).toBe(3);
  });
});
