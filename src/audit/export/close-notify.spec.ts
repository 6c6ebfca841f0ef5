import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { CloseNotifyWatch } from './close-notify';

const TLS_1_2 = { getProtocol: () => 'TLSv1.2' };
const TLS_1_3 = { getProtocol: () => 'TLSv1.3' };
const HANDSHAKE = 22;
const ALERT = 21;
const DATA = 23;

function recordOf(type: number, length: number): Buffer {
  // The content of one record must not be taken for the header of the next.
  const record = Buffer.alloc(5 + length, ALERT);
  record.set([type, 3, 3, length >> 8, length & 255]);
  return record;
}

/** Passes the bytes on in pieces of the given size. */
async function watchOf(bytes: Buffer, size: number): Promise<CloseNotifyWatch> {
  const connection = new PassThrough();
  const watch = new CloseNotifyWatch(connection as unknown as Socket);
  for (let at = 0; at < bytes.length; at += size) connection.write(bytes.subarray(at, at + size));
  connection.end();
  const passed: Buffer[] = await watch.transport.toArray();
  expect(Buffer.concat(passed).equals(bytes)).toBe(true);
  return watch;
}

describe('CloseNotifyWatch', () => {
  const before = [recordOf(HANDSHAKE, 700), recordOf(DATA, 282), recordOf(20, 1)];

  it.each([1, 2, 5, 7, 1000, 100_000])('finds the last record in pieces of %i bytes', async (size) => {
    const bytes = (last: Buffer) => Buffer.concat([...before, last]);
    const alert12 = await watchOf(bytes(recordOf(ALERT, 26)), size);
    expect(alert12.endedWithAlert(TLS_1_2)).toBe(true);
    const alert13 = await watchOf(bytes(recordOf(DATA, 19)), size);
    expect(alert13.endedWithAlert(TLS_1_3)).toBe(true);
  });

  it.each<[string, Buffer[], typeof TLS_1_2]>([
    ['nothing', [], TLS_1_3],
    ['another record', [recordOf(DATA, 19), recordOf(DATA, 282)], TLS_1_3],
    ['the alert without its last byte', [recordOf(DATA, 19).subarray(0, -1)], TLS_1_3],
    ['a part of a header after the alert', [recordOf(DATA, 19), Buffer.from([DATA, 3])], TLS_1_3],
    ['a record of TLS 1.2 with data', [recordOf(DATA, 19)], TLS_1_2],
    ['an alert that is not encrypted', [recordOf(ALERT, 2)], TLS_1_3],
  ])('is not deceived by %s', async (_what, records, socket) => {
    const watch = await watchOf(Buffer.concat([...before.slice(0, records.length), ...records]), 10);
    expect(watch.endedWithAlert(socket)).toBe(false);
  });
});
