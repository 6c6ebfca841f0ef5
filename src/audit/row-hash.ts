import { hash } from 'node:crypto';
import { canonicalJson } from '../secrets/canonical-json';
import type { AuditEventEntity } from './audit-event.entity';

/** A row without its hash. */
export type UnhashedEvent = Omit<AuditEventEntity, 'hash'>;

/**
 * The columns of a row except its hash, in the order in which they are hashed. The order must never change, or no
 * stored hash would match.
 */
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

/** The value that the first row of a chain is hashed with, in place of a previous hash. */
export const firstHash = (chain: number, name: string): string =>
  sha256(JSON.stringify(['audit chain', chain, name]));

/**
 * The hash of a row: SHA-256 of the JSON array of the previous hash and the row's columns ({@link HASHED_COLUMNS}),
 * with the time as milliseconds since 1970 and the changes as JSON text with sorted members. Documented in
 * `docs/operations/audit.md`.
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
