import { Logger } from '@nestjs/common';
import { ReceiverLog } from './receiver-log';

describe('ReceiverLog', () => {
  let lines: unknown[][];
  let receivers: ReceiverLog;

  beforeEach(() => {
    lines = [];
    for (const level of ['log', 'warn'] as const)
      jest.spyOn(Logger.prototype, level).mockImplementation((...args: unknown[]) => {
        lines.push([level, ...args]);
      });
    receivers = new ReceiverLog();
  });

  afterEach(() => jest.restoreAllMocks());

  it('has one line for the first failure, and one for the first success after it', () => {
    receivers.record('ops', null, 200);
    receivers.record('ops', 'status', 500);
    receivers.record('ops', 'connection', null);
    receivers.record('other', 'connection', null);
    receivers.record('ops', null, 204);
    receivers.record('ops', null, 204);
    receivers.record('ops', 'gone', 410);
    const failing = 'A receiver does not accept deliveries';
    expect(lines).toEqual([
      ['warn', failing, { notification: 'ops', failure: 'status', status: 500 }],
      ['warn', failing, { notification: 'other', failure: 'connection' }],
      ['log', 'A receiver accepts deliveries again', { notification: 'ops' }],
      ['warn', failing, { notification: 'ops', failure: 'gone', status: 410 }],
    ]);
  });

  it('remembers a bounded number of receivers', () => {
    for (let i = 0; i <= 1000; i += 1) receivers.record(String(i), 'connection', null);
    receivers.record('1000', 'connection', null);
    expect(lines).toHaveLength(1001);
    receivers.record('0', 'connection', null);
    expect(lines).toHaveLength(1002);
  });
});
