import { EventEmitter } from 'node:events';
import { ConfigService } from '@nestjs/config';
import type { Response } from 'express';
import type { Sharer } from '../client-shares';
import { BodyBudget } from './body-budget';

class FakeResponse extends EventEmitter {
  constructor(destroyed = false) {
    super();
    this.req = { socket: { destroyed } };
  }

  readonly req: { socket: { destroyed: boolean } };
}

describe('BodyBudget', () => {
  let budget: BodyBudget;

  beforeEach(() => {
    budget = new BodyBudget(new ConfigService({ http: { maxBodyBytes: 100 } }) as never);
  });

  const fake = (isGone = false): Response => new FakeResponse(isGone) as unknown as Response;

  const open = (bytes: number, isGone = false, sharer?: Sharer): Response => {
    const response = fake(isGone);
    expect(budget.open(response, sharer)(bytes)).toBeUndefined();
    return response;
  };

  it('refuses what does not fit, and releases a body that no handler has got with its response', () => {
    const response = open(60);
    const other = new FakeResponse() as unknown as Response;
    const reserve = budget.open(other, undefined);
    expect(reserve(41)).toMatchObject({ code: 'overloaded' });
    expect(reserve(40)).toBeUndefined();
    expect(budget.bytes).toBe(100);
    response.emit('close');
    expect(budget.bytes).toBe(40);
    other.emit('close');
    expect(budget.bytes).toBe(0);
  });

  it('keeps a body reserved until both the response is closed and its handler has ended', () => {
    const [first, second] = [open(10), open(20)];
    const [endFirst, endSecond] = [budget.hold(first)!, budget.hold(second)!];
    first.emit('close');
    expect(budget.bytes).toBe(30);
    endFirst();
    expect(budget.bytes).toBe(20);
    endSecond();
    expect(budget.bytes).toBe(20);
    second.emit('close');
    expect(budget.bytes).toBe(0);
  });

  it('counts a body again if its handler begins after the response was closed', () => {
    const [closed, gone] = [open(60), open(70, true)];
    closed.emit('close');
    expect(budget.bytes).toBe(0);
    const end = budget.hold(gone)!;
    expect(budget.bytes).toBe(70);
    expect(() => budget.hold(closed)).toThrow(expect.objectContaining({ code: 'overloaded' }));
    end();
    expect(budget.bytes).toBe(0);
  });

  describe('with API keys', () => {
    const key = { id: 'key', whose: ' of this API key' };
    const other = { id: 'other', whose: ' of this API key' };

    it('leaves a fifth of the bytes to others, also if a handler begins after the response was closed', () => {
      const response = open(70, false, key);
      const gone = open(20, true, key);
      const failure = {
        detail: 'too many request bodies of this API key are being processed; see Retry-After',
      };
      expect(budget.open(fake(), key)(11)).toMatchObject(failure);
      expect(() => budget.hold(gone)).toThrow(expect.objectContaining(failure));
      open(20, false, other);
      response.emit('close');
      budget.hold(gone);
      expect(budget.bytes).toBe(40);
    });
  });

  it('holds nothing for a request without a body', () => {
    expect(budget.hold(new FakeResponse() as unknown as Response)).toBeUndefined();
  });
});
