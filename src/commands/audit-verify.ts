import 'reflect-metadata';
import { AuditVerification } from '../audit/verification/audit-verification';
import { StoredChains } from '../audit/verification/stored-chains';
import { noArguments } from './arguments';
import { consoleOutput, runCommand } from './run-command';
import { withStorage } from './stored-records';

const USAGE = 'Usage: npm run audit:verify';
/** The exit code if the log could not be verified, which does not mean that it was altered. */
const UNVERIFIED = 2;

/**
 * Verifies the audit log. If a row was altered, added or removed, the first such row is printed, and the exit code is
 * 1.
 */
runCommand(
  'Verification of the audit log',
  USAGE,
  (stop) => {
    noArguments(USAGE);
    return withStorage(({ unitOfWork, macs }) =>
      new AuditVerification(new StoredChains(unitOfWork, macs), consoleOutput).run(stop),
    );
  },
  UNVERIFIED,
);
