import type { DatabaseSettings } from '../config/app-config';
import { ConfigurationError } from '../config/configuration-error';
import { placeOf } from './data-source';
import { knownAdvice, readableCode } from './database-advice';
import { driverCodeOf, isOfDatabase } from './drivers/driver-errors';

/** The codes of connections that were not made, or that ended. */
const UNREACHED = /^(?:E[A-Z]+|EAI_[A-Z]+|PROTOCOL_[A-Z_]+)$/;
/** A part of the codes with which a server refuses a user. */
const DENIED = 'ACCESS_DENIED';

/** The database cannot be used for a reason that an operator can remove; the message says how. */
export class UnusableDatabaseError extends ConfigurationError {
  constructor(settings: DatabaseSettings, code: string, advice: string, cause: unknown) {
    const state = UNREACHED.test(code) ? 'reached' : 'used';
    const user = settings.type !== 'sqlite' && code.includes(DENIED) ? ` by the user ${settings.user}` : '';
    super([`The database ${placeOf(settings)} cannot be ${state}${user} (${readableCode(code)}). ${advice}`]);
    this.name = 'UnusableDatabaseError';
    this.cause = cause;
  }
}

/**
 * Runs `work` on a database. @throws UnusableDatabaseError instead of an error of the driver for which there is advice
 */
export async function onDatabase<T>(settings: DatabaseSettings, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explained(settings, error);
  }
}

/** Like {@link onDatabase}, for work that also uses other servers, whose errors are left unchanged. */
export async function onDatabaseAndOthers<T>(settings: DatabaseSettings, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isOfDatabase(error) ? explained(settings, error) : error;
  }
}

function explained(settings: DatabaseSettings, error: unknown): unknown {
  const code = driverCodeOf(error);
  const advice = knownAdvice(code);
  return advice === undefined ? error : new UnusableDatabaseError(settings, code, advice, error);
}
