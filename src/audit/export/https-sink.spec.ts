import { Secret } from '../../common/secrets/secret';
import type { OutboundHttp } from '../../outbound/outbound-http';
import type { AuditEventEntity } from '../audit-event.entity';
import { HttpsSink } from './https-sink';

const event = (sequence: number): AuditEventEntity => ({
  chain: 7,
  sequence,
  at: new Date('2026-01-31T12:00:00.123Z'),
  keyId: 'root',
  action: 'relayer.pause',
  relayerId: 'r',
  signerId: null,
  requestId: null,
  clientIp: null,
  outcome: 'success',
  code: null,
  digest: null,
  form: null,
  changes: null,
  hash: 'ab'.repeat(32),
});

describe('HttpsSink', () => {
  const post = jest.fn();
  const sink = new HttpsSink(
    { post } as unknown as OutboundHttp,
    new Secret('https://u:p@audit.example/in'),
    5,
  );
  const { signal } = new AbortController();

  it('posts a line of JSON for each event, with a time-out', async () => {
    post.mockResolvedValueOnce({ status: 204 });
    await sink.write([event(1), event(2)], signal);
    const request = post.mock.calls[0]?.[0] as { body: string };
    expect(request).toMatchObject({
      url: 'https://u:p@audit.example/in',
      purpose: 'audit',
      headers: { 'content-type': 'application/x-ndjson' },
      timeoutMs: 5,
      signal,
    });
    const lines = request.body.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(['7-1', '7-2']);
  });

  it.each([199, 301, 400, 500])('fails on status %d', async (status) => {
    post.mockResolvedValueOnce({ status });
    await expect(sink.write([event(1)], signal)).rejects.toThrow(`responded with status ${status}`);
  });

  it('fails when the call fails', async () => {
    post.mockRejectedValueOnce(new Error('refused'));
    await expect(sink.write([event(1)], signal)).rejects.toThrow('refused');
  });
});
