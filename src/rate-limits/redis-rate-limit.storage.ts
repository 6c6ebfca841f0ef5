import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Redis, RedisOptions } from 'ioredis';
import { dropConnection } from '../redis/drop-connection';
import { type Charge, RateLimitStorage, ROUNDING } from './rate-limit-storage';
import { toRecord } from './record';
import { CHARGE_LUA } from './charge.lua';

const PREFIX = 'relayer:limit:';

/** Connection options for such a storage: a request that cannot be sent immediately is counted elsewhere. */
export const LIMITS_CONNECTION: RedisOptions = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
};

interface ChargingRedis extends Redis {
  chargeBucket(key: string, ...numbers: number[]): Promise<unknown>;
}

/**
 * Counts requests in Redis, so that all instances share one allowance. Each charge is one script and one round trip.
 * Keys expire when their bucket is full.
 */
export class RedisRateLimitStorage extends RateLimitStorage {
  private readonly client: ChargingRedis;

  constructor(
    client: Redis,
    private readonly prefix = PREFIX,
  ) {
    super();
    client.defineCommand('chargeBucket', { numberOfKeys: 1, lua: CHARGE_LUA });
    this.client = client as ChargingRedis;
  }

  /** @throws the error of ioredis if Redis is unavailable or refuses to write; Error if its response makes no sense */
  async charge(
    key: string,
    ttl: number,
    limit: number,
    { cost, required }: Charge,
  ): ReturnType<ThrottlerStorage['increment']> {
    const refillOne = ttl / limit;
    const result = await this.client.chargeBucket(
      this.prefix + key,
      refillOne * 1000,
      limit,
      cost,
      required,
      ROUNDING,
    );
    const [used, shortage] = numbersOf(result);
    return toRecord(used * refillOne, shortage * refillOne, refillOne);
  }

  /** Checks whether Redis can count now. @throws as {@link charge} */
  async probe(): Promise<void> {
    await this.increment('probe', 1000, 1000);
  }

  /** Drops a connection that does not respond, along with all of its requests. */
  reconnect(): void {
    dropConnection(this.client);
  }
}

/** @throws Error for anything but two numbers as text: a comparison with NaN would let every request pass */
function numbersOf(response: unknown): [used: number, shortage: number] {
  const numbers = (Array.isArray(response) ? response : []).map((text: unknown) =>
    typeof text === 'string' && text !== '' ? Number(text) : NaN,
  );
  const [used = NaN, shortage = NaN] = numbers;
  if (numbers.length !== 2 || !Number.isFinite(used) || !Number.isFinite(shortage))
    throw new Error('Redis did not respond with two numbers');
  return [used, shortage];
}
