import {
  BadGatewayException,
  BadRequestException,
  Logger,
  UnprocessableEntityException,
} from '@nestjs/common';
import { DomainError } from '../common/errors/domain-error';
import { Lifecycle } from './lifecycle';
import type { SignatureMoment } from './lifecycle-events';

const MOMENT: SignatureMoment = {
  relayerId: 'r',
  signerId: 's',
  network: 'devnet',
  form: 'message',
  digest: '00'.repeat(32),
};

describe('Lifecycle', () => {
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('creates no event without a listener', () => {
    const describeIt = jest.fn();
    expect(new Lifecycle().before('signature.before', describeIt)).toBeUndefined();
    new Lifecycle().after('signature.after', describeIt);
    expect(describeIt).not.toHaveBeenCalled();
  });

  it('refuses a listener for an event that does not exist', () => {
    const on = () => {
      new Lifecycle().on('signature.Before' as never, () => undefined);
    };
    expect(on).toThrow('There is no event signature.Before to listen to');
  });

  it('refuses a listener that is not a function', () => {
    const on = () => {
      new Lifecycle().on('signature.before', undefined as never);
    };
    expect(on).toThrow('The listener for signature.before is not a function');
  });

  it('calls every "after" listener, although others fail or hang, and logs one that hangs', async () => {
    jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const lifecycle = new Lifecycle();
    const last = jest.fn();
    lifecycle.on('signature.after', () => {
      throw new Error('failed');
    });
    lifecycle.on('signature.after', () => new Promise(() => undefined));
    lifecycle.on('signature.after', last);
    lifecycle.after('signature.after', () => MOMENT);
    await jest.advanceTimersByTimeAsync(5000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(last).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledWith('A listener of a plugin is slow', {
      event: 'signature.after',
      listener: expect.stringContaining('lifecycle.spec.ts:') as string,
    });
  });

  it('awaits "before" listeners in order, and stops at the first that refuses', async () => {
    const lifecycle = new Lifecycle();
    const calls: string[] = [];
    lifecycle.on('signature.before', async ({ relayerId }) => {
      await new Promise((resolve) => setImmediate(resolve));
      calls.push(relayerId);
    });
    const refusal = new DomainError('forbidden', 'Forbidden', 'not today');
    lifecycle.on('signature.before', () => {
      calls.push('second');
      throw refusal;
    });
    lifecycle.on('signature.before', () => calls.push('third'));
    await expect(lifecycle.before('signature.before', () => MOMENT)).rejects.toBe(refusal);
    expect(calls).toEqual(['r', 'second']);
  });

  it.each([
    [new UnprocessableEntityException('not today'), { code: 'forbidden', detail: 'not today' }],
    [new BadRequestException('not today'), { code: 'forbidden', detail: 'not today' }],
    [new BadGatewayException('down'), { message: 'down' }],
    [new Error('bug'), { message: 'bug' }],
  ])('takes exceptions of Nest about the request for refusals: %s', async (thrown, rejected) => {
    const lifecycle = new Lifecycle();
    lifecycle.on('signature.before', () => {
      throw thrown;
    });
    await expect(lifecycle.before('signature.before', () => MOMENT)).rejects.toMatchObject(rejected);
  });

  it('rejects with "unavailable" when a listener hangs, and logs where it was added', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const lifecycle = new Lifecycle();
    const Slow = class SlowRule {
      onModuleInit(): void {
        lifecycle.on('signature.before', () => new Promise(() => undefined));
      }
    };
    lifecycle.on('signature.before', () => undefined);
    new Slow().onModuleInit();
    lifecycle.on('signature.before', () => undefined);
    const refused = expect(lifecycle.before('signature.before', () => MOMENT)).rejects.toMatchObject({
      code: 'unavailable',
    });
    await jest.advanceTimersByTimeAsync(5000);
    await refused;
    expect(warn.mock.calls).toEqual([
      [
        'A listener of a plugin took too long',
        {
          event: 'signature.before',
          listener: expect.stringMatching(
            /^SlowRule\..*onModuleInit.* \(.+lifecycle\.spec\.ts:\d+:\d+\)$/,
          ) as string,
        },
      ],
    ]);
  });

  it('neither awaits "after" listeners nor propagates their errors', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const lifecycle = new Lifecycle();
    const heard: string[] = [];
    lifecycle.on('signature.after', ({ form }) => {
      heard.push(form);
      throw new Error('failed');
    });
    lifecycle.after('signature.after', () => MOMENT);
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual(['message']);
    expect(error.mock.calls).toEqual([
      [
        'A listener of a plugin failed',
        {
          event: 'signature.after',
          listener: expect.stringContaining('lifecycle.spec.ts:') as string,
          cause: 'failed',
        },
      ],
    ]);
  });
});
