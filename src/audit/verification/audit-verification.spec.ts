import { REGISTER_ID } from '../audit-chain.entity';
import { AuditEventEntity } from '../audit-event.entity';
import { firstHash, hashOf } from '../row-hash';
import { AuditVerification } from './audit-verification';
import type { StoredChains, StoredEvent } from './stored-chains';

const NAME = 'chain of an instance';

/** The first events of chain 1. */
function storedEvents(count: number): StoredEvent[] {
  let hash = firstHash(1, NAME);
  return Array.from({ length: count }, (_, i) => {
    const nothing = { keyId: null, relayerId: null, signerId: null, requestId: null, clientIp: null };
    const row = Object.assign(new AuditEventEntity(), {
      ...nothing,
      ...{ chain: 1, sequence: i + 1, at: new Date(0), action: 'a', outcome: 'success' },
      ...{ code: null, digest: null, form: null, changes: null },
    });
    hash = row.hash = hashOf(hash, row);
    return { sequence: row.sequence, row, isAsWritten: true };
  });
}

describe('AuditVerification', () => {
  let printed: string[];
  let stop: AbortController;

  beforeEach(() => {
    [printed, stop] = [[], new AbortController()];
  });

  /** Verifies one chain, of which `ends` are the numbers of events at the successive reads. */
  const verify = (...ends: [number, ...number[]]): Promise<boolean> => {
    const events = storedEvents(Math.max(...ends));
    let end = ends[0];
    let reads = 0;
    const head = (id: string) => {
      const [sequence, hash] = id === REGISTER_ID ? [1, ''] : [end, events[end - 1]?.row?.hash];
      return Promise.resolve({ row: { name: NAME, prunedAt: null, sequence, hash }, mac: 'intact' });
    };
    const eventsAfter = (_chain: number, after: number) => {
      end = ends[Math.min(reads, ends.length - 1)]!;
      reads += 1;
      if (reads > 100) stop.abort(new Error('It reads without an end'));
      return Promise.resolve(events.slice(after, end));
    };
    const none = () => Promise.resolve(undefined);
    const others = {
      eventBeforeFirst: none,
      eventBetween: none,
      eventOutside: none,
      idsAfter: () => Promise.resolve([]),
    };
    const stored = { head, eventsAfter, ...others } as unknown as StoredChains;
    const print = (line: string) => void printed.push(line);
    return new AuditVerification(stored, { print, printToStderr: print }).run(stop.signal);
  };

  it('follows a chain that grows meanwhile', async () => {
    expect(await verify(2, 3)).toBe(true);
    expect(printed).toEqual(['3 events in 1 chains: complete and unaltered']);
  });

  it('reports a head that is replaced by an older one meanwhile', async () => {
    expect(await verify(3, 2)).toBe(false);
    expect(printed).toEqual(['event 1-3: the signed head that covered it was replaced by an older one']);
  });

  it.each<[string, { stray?: string; ids?: string[] }]>([
    ['event 5-1: its chain is unknown to the register: it was added', { stray: '5-1' }],
    ['chain 7: it was added', { ids: ['0', '1', '7'] }],
  ])(
    'reports what was added, even if a chain is begun meanwhile: %s',
    async (message, { stray, ids = [] }) => {
      const events = storedEvents(1);
      let newest = 1;
      const none = () => Promise.resolve(undefined);
      const stored = {
        head: (id: string) => {
          const [sequence, hash] = id === REGISTER_ID ? [newest, ''] : [1, events[0]?.row?.hash];
          // The second chain is empty.
          const end = id === '2' ? { sequence: 0, hash: firstHash(2, NAME) } : { sequence, hash };
          return Promise.resolve({ row: { name: NAME, prunedAt: null, ...end }, mac: 'intact' });
        },
        eventsAfter: (chain: number, after: number) =>
          Promise.resolve(chain === 1 ? events.slice(after) : []),
        eventOutside: () => {
          newest = 2;
          return Promise.resolve(stray);
        },
        idsAfter: (after: string) => Promise.resolve(ids.filter((id) => id > after)),
        ...{ eventBeforeFirst: none, eventBetween: none },
      } as unknown as StoredChains;
      const print = (line: string) => void printed.push(line);
      const verification = new AuditVerification(stored, { print, printToStderr: print });
      expect(await verification.run(stop.signal)).toBe(false);
      expect(printed).toEqual([message]);
    },
  );
});
