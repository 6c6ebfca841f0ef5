import { hash } from 'node:crypto';
import { canonicalJson } from '../secrets/canonical-json';
import type { AuditEventEntity } from './audit-event.entity';

/** A row without its hash. */
export type UnhashedEvent = Omit<AuditEventEntity, 'hash'>;

/** The columns of a row but its hash, in the order in which they are hashed; never another one, or no stored hash matches. */
export const HASHED_COLUMNS = [
  'chain',
  'sequence',
  'at',
  'keyId',
  'action',
  'relayerId',
  'signerId',
  'requestId',
  'clientIp',
  'outcome',
  'code',
  'digest',
  'form',
  'changes',
] as const satisfies readonly (keyof UnhashedEvent)[];

const sha256 = (text: string): string => hash('sha256', text);

/** What the first row of a chain continues, in place of the hash of a row before it. */
export const firstHash = (chain: number, name: string): string =>
  sha256(JSON.stringify(['audit chain', chain, name]));

/**
 * The hash of a row: SHA-256 of the JSON array of the hash before it and the row's columns ({@link HASHED_COLUMNS}), the time as
 * milliseconds since 1970 and the changes as a text of JSON with sorted members. Docs: `docs/operations/audit.md`.
 *
 * @returns 64 lower-case hex digits
 */
export function hashOf(previous: string, row: UnhashedEvent): string {
  return sha256(JSON.stringify([previous, ...HASHED_COLUMNS.map((column) => hashedValue(row, column))]));
}

function hashedValue(row: UnhashedEvent, column: (typeof HASHED_COLUMNS)[number]): unknown {
  if (column === 'at') return row.at.getTime();
  if (column === 'changes') return row.changes === null ? null : canonicalJson(row.changes);
  return row[column];
}
