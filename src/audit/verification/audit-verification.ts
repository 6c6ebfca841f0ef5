import type { CommandOutput } from '../../common/command-output';
import { keyVersionOf } from '../../secrets/row-macs';
import { REGISTER_ID } from '../audit-chain.entity';
import { firstHash, hashOf } from '../row-hash';
import type { StoredChains, StoredEvent, StoredHead } from './stored-chains';

const PAGE = 1000;
/** More than a purge takes, which is at most a few hours. */
const PURGE_MS = 86_400_000;

/** The first fault found, with the row it is in. */
class Fault extends Error {}

/**
 * Recomputes every hash, and compares the ends of all chains with their signed heads. It can run alongside the service.
 */
export class AuditVerification {
  private events = 0;
  private pruned = 0;

  constructor(
    private readonly stored: StoredChains,
    private readonly output: CommandOutput,
  ) {}

  /**
   * Prints the first bad or missing row.
   *
   * @param signal aborts the run, which then throws its reason
   * @returns whether the log is complete and unaltered
   */
  async run(signal: AbortSignal): Promise<boolean> {
    try {
      const chains = await this.verifyAll(signal);
      const rest = this.pruned > 0 ? `, ${this.pruned} of them purged` : '';
      this.output.print(`${this.events} events in ${chains} chains${rest}: complete and unaltered`);
      return true;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.output.printToStderr(error.message);
      return false;
    }
  }

  /**
   * Whatever does not belong to the chains counts only if the service began no chain while it was looked for.
   *
   * @returns the number of chains
   */
  private async verifyAll(signal: AbortSignal): Promise<number> {
    let number = 1;
    for (let newest = await this.newest(); ;) {
      for (; number <= newest; number += 1) await this.verifyChain(number, signal);
      const stray = await this.stored.eventOutside(1, newest);
      const added = await this.addedId(newest);
      const now = await this.newest();
      if (now === newest) {
        if (stray !== undefined) throw unregistered(stray);
        if (added !== undefined) throw new Fault(`chain ${added}: it was added`);
        return newest;
      }
      newest = now;
    }
  }

  private async newest(): Promise<number> {
    const register = await this.stored.head(REGISTER_ID);
    if (!register)
      throw new Fault('the register of chains is missing: the service writes it with its first event');
    assertIntact(register, 'the register of chains');
    return register.row.sequence;
  }

  /** The first id that is not that of a chain; undefined if there is none. */
  private async addedId(newest: number): Promise<string | undefined> {
    for (let id = '', ids = ['']; ids.length > 0;) {
      ids = await this.stored.idsAfter(id, PAGE);
      for (const each of ids) {
        // SQLite's driver cuts texts off at a NUL, so an added id can look like the one before it.
        if (each === id || !/^(0|[1-9]\d{0,9})$/.test(each) || Number(each) > newest) return each;
        id = each;
      }
    }
    return undefined;
  }

  private async verifyChain(number: number, signal: AbortSignal): Promise<void> {
    const { name, prunedAt } = (await this.headOf(number)).row;
    if (prunedAt) {
      this.pruned += 1;
      await this.assertPurged(number, prunedAt);
    } else await this.verifyRows(number, name, signal);
    const early = await this.stored.eventBeforeFirst(number);
    if (early !== undefined) throw new Fault(`event ${early}: it is before the first: it was added`);
    const stray = await this.stored.eventBetween(number, number + 1);
    if (stray !== undefined) throw unregistered(stray);
  }

  /** Nothing proves the content of rows in a purged chain, so there must not be any. */
  private async assertPurged(number: number, prunedAt: Date): Promise<void> {
    if (Date.now() - prunedAt.getTime() < PURGE_MS) return;
    const [left] = await this.stored.eventsAfter(number, 0, 1);
    if (left)
      throw new Fault(
        `event ${number}-${left.sequence}: its chain was purged at ${prunedAt.toISOString()}: it was added, or the purge was interrupted`,
      );
  }

  private async verifyRows(number: number, name: string, signal: AbortSignal): Promise<void> {
    let end = { sequence: 0, hash: firstHash(number, name) };
    for (;;) {
      signal.throwIfAborted();
      const rows = await this.stored.eventsAfter(number, end.sequence, PAGE);
      // Read after the rows: a head and the rows it covers were committed together.
      const head = await this.headOf(number);
      // The chain's purge has begun meanwhile.
      if (head.row.prunedAt) break;
      if (head.row.sequence < end.sequence)
        throw new Fault(
          `event ${number}-${end.sequence}: the signed head that covered it was replaced by an older one`,
        );
      for (const row of rows) {
        if (row.sequence > head.row.sequence)
          throw new Fault(`event ${number}-${row.sequence}: it is beyond the signed head: it was added`);
        end = next(number, end, row);
      }
      if (rows.length === 0) {
        if (end.sequence < head.row.sequence && (await this.isMissing(number, end.sequence)))
          throw new Fault(`event ${number}-${end.sequence + 1}: it is missing`);
        if (end.sequence === head.row.sequence) {
          if (end.hash !== head.row.hash)
            throw new Fault(`event ${number}-${end.sequence}: its hash is not that of the signed head`);
          break;
        }
      }
    }
    this.events += end.sequence;
  }

  /** Rows that were written since the last page was read are not missing. */
  private async isMissing(chain: number, after: number): Promise<boolean> {
    const [row] = await this.stored.eventsAfter(chain, after, 1);
    const head = await this.headOf(chain);
    return row === undefined && !head.row.prunedAt;
  }

  private async headOf(number: number): Promise<StoredHead> {
    const head = await this.stored.head(String(number));
    if (!head) throw new Fault(`chain ${number}: its head is missing, although later ones were begun`);
    assertIntact(head, `chain ${number}: its head`);
    return head;
  }
}

const unregistered = (event: string): Fault =>
  new Fault(`event ${event}: its chain is unknown to the register: it was added`);

function next(
  chain: number,
  end: { sequence: number; hash: string },
  { sequence, row, isAsWritten }: StoredEvent,
): { sequence: number; hash: string } {
  const expected = end.sequence + 1;
  if (sequence !== expected) throw new Fault(`event ${chain}-${expected}: it is missing`);
  if (!row) throw new Fault(`event ${chain}-${sequence}: it cannot be read`);
  if (!isAsWritten)
    throw new Fault(
      `event ${chain}-${sequence}: it is not stored in the form that the service writes: it was altered`,
    );
  const hash = hashOf(end.hash, row);
  if (hash !== row.hash)
    throw new Fault(`event ${chain}-${sequence}: it does not match its hash: it was altered`);
  return { sequence, hash };
}

/**
 * A MAC of an unknown key is a fault like any other: who alters the log could name such a key, so that nothing else is
 * verified.
 */
function assertIntact({ row, mac }: StoredHead, what: string): void {
  if (mac === 'unknown_key')
    throw new Fault(
      `${what} has a MAC of the storage key ${keyVersionOf(row.mac ?? '')}, which STORAGE_ENCRYPTION_KEY does not list:` +
        ' append that key and verify again; if there was no such key, the row was altered',
    );
  if (mac !== 'intact') throw new Fault(`${what} does not match its MAC: it was altered`);
}
