import { Registry } from 'prom-client';
import type { AuditEntry } from '../audit/audit-entry';
import { AuditLog } from '../audit/audit-log';
import { recordedAs } from '../audit/audit-origin';
import { AuditRows } from '../audit/audit-rows';
import { ChainRegister } from '../audit/chain-register';
import { OneTripTransactions } from '../database/one-trip-transactions';
import { RowIntegrity } from '../database/integrity/row-integrity';
import type { Storage } from './stored-records';

/** Records changes that commands make, in the unit of work of the change. */
export function shellAudit({ dataSource, unitOfWork, macs }: Storage): (entry: AuditEntry) => Promise<void> {
  const register = new ChainRegister(unitOfWork, new RowIntegrity(macs, new Registry()));
  const rows = new AuditRows(unitOfWork, register);
  const audit = new AuditLog(unitOfWork, rows, register, new OneTripTransactions(dataSource));
  return (entry) => recordedAs('shell', () => audit.record(entry));
}
