import type { DatabaseSettings } from '../config/app-config';
import { driverCodeOf } from '../database/drivers/driver-errors';
import { knownAdvice, readableCode } from '../doctor/database-advice';

/** The codes of connections that were not made, or that ended. */
const UNREACHED = /^(?:E[A-Z]+|EAI_[A-Z]+|PROTOCOL_[A-Z_]+)$/;

/** The database cannot be used for a reason that an operator can remove; the message says how. */
export class UnusableDatabaseError extends Error {
  constructor(settings: DatabaseSettings, code: string, advice: string, options: ErrorOptions) {
    const place = settings.type === 'sqlite' ? settings.file : `${settings.host}:${settings.port}`;
    const state = UNREACHED.test(code) ? 'reached' : 'used';
    super(`The database ${place} cannot be ${state} (${readableCode(code)}). ${advice}`, options);
    this.name = 'UnusableDatabaseError';
  }
}

/**
 * Runs `work` on a database. @throws UnusableDatabaseError instead of an error of the driver for which there is advice
 */
export async function onDatabase<T>(settings: DatabaseSettings, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = driverCodeOf(error);
    const advice = knownAdvice(code);
    throw advice === undefined ? error : new UnusableDatabaseError(settings, code, advice, { cause: error });
  }
}
