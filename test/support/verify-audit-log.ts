import { AuditVerification } from '../../src/audit/verification/audit-verification';
import { StoredChains } from '../../src/audit/verification/stored-chains';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { RowMacs } from '../../src/secrets/row-macs';
import type { TestApplication } from './application';

/** What the verification of a service's audit log says for a log that nobody has altered. */
export const UNALTERED = /^\d+ events in \d+ chains: complete and unaltered$/;

/** The output of `audit:verify`, run in this process on the database of a service. */
export async function verifyAuditLog({ app }: TestApplication): Promise<string> {
  const lines: string[] = [];
  const output = {
    print: (line: string) => lines.push(line),
    printToStderr: (line: string) => lines.push(line),
  };
  const stored = new StoredChains(app.get(UnitOfWork), app.get(RowMacs));
  await new AuditVerification(stored, output).run(new AbortController().signal);
  return lines.join('\n');
}
