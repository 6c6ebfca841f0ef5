import 'reflect-metadata';
import { AuditVerification } from '../audit/verification/audit-verification';
import { StoredChains } from '../audit/verification/stored-chains';
import { consoleOutput, runCommand } from './run-command';
import { withStorage } from './stored-records';

/**
 * Verifies the audit log. If a row was altered, added or removed, the first such row is printed, and the exit code is
 * 1.
 */
runCommand('Verification of the audit log', (stop) =>
  withStorage(({ unitOfWork, macs }) =>
    new AuditVerification(new StoredChains(unitOfWork, macs), consoleOutput).run(stop),
  ),
);
