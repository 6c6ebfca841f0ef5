import type { PrivateRedisServer } from '../../test/support/private-servers.cjs';
import type { ObservedDatabase } from './database.cjs';

export interface Survival {
  acknowledged: number;
  rows: number;
  received: number;
  doubles: number;
  missing: number;
  undelivered: number;
  unknown: number;
  forgotten: number;
}

export function survive(subject: {
  database: ObservedDatabase;
  redis?: PrivateRedisServer;
  instances?: number;
  events: number;
  kills: number;
}): Promise<Survival>;
