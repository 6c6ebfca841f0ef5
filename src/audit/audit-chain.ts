import type { AuditCaller, AuditEntry } from './audit-entry';
import type { AuditEventEntity } from './audit-event.entity';
import { firstHash, hashOf } from './row-hash';

/** An entry with the data that is added when it is recorded. */
export interface AuditRecord extends AuditCaller {
  entry: AuditEntry;
  /** The name of the action, including its origin. */
  action: string;
}

/** The date of a time, in UTC: `2026-01-31`. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** The newest row of a chain. */
export interface ChainHead {
  sequence: number;
  hash: string;
}

/** A chain that only this process writes, so that the head is known without being read. */
export class AuditChain {
  /** The head in the database; undefined before the first row is committed. */
  head: ChainHead | undefined;

  constructor(
    readonly number: number,
    readonly name: string,
    readonly createdAt: Date,
  ) {}

  /** Whether rows of this time belong to the chain, which covers one day in UTC. */
  isOf(time: Date): boolean {
    return dayOf(this.createdAt) === dayOf(time);
  }

  /** The next rows of the chain, with their hashes. */
  rowsOf(records: readonly AuditRecord[], at: Date): AuditEventEntity[] {
    let { sequence, hash } = this.head ?? { sequence: 0, hash: firstHash(this.number, this.name) };
    return records.map((record) => {
      sequence += 1;
      const row = rowOf(record, this.number, sequence, at);
      row.hash = hash = hashOf(hash, row);
      return row;
    });
  }
}

/**
 * Truncates to the length of the column: values from headers may be longer. Half of a surrogate pair is replaced, as
 * the databases would do: the row would not match its hash.
 */
const text = (value: string | null | undefined, length: number): string | null =>
  value === null || value === undefined ? null : value.slice(0, length).toWellFormed();

function rowOf(
  { entry, action, keyId, requestId, clientIp }: AuditRecord,
  chain: number,
  sequence: number,
  at: Date,
): AuditEventEntity {
  const { code = null, digest, changes } = entry;
  return {
    chain,
    sequence,
    at,
    keyId: text(keyId, 36),
    action,
    relayerId: text(entry.relayerId, 36),
    signerId: text(entry.signerId, 36),
    requestId: text(requestId, 128),
    clientIp: text(clientIp, 64),
    outcome: code === null ? 'success' : 'failure',
    code: text(code, 64),
    digest: digest ? Buffer.from(digest.buffer, digest.byteOffset, digest.length).toString('hex') : null,
    form: text(entry.form, 32),
    changes: changes ? (JSON.parse(JSON.stringify(changes)) as typeof changes) : null,
    hash: '',
  };
}
