import { asReceived } from '../../../test/support/fake-nodes';
import { parseNodeResponse } from './internal-call';
import { MalformedResponseError } from './json-rpc';

describe('parseNodeResponse', () => {
  const log = { address: '0x1', topics: ['0x2', '0x3'], data: '0x', blockNumber: '0x4', removed: false };

  it.each([
    [{ result: '0x1' }],
    [{ result: null }],
    [{ result: { status: '0x1', logs: Array(400).fill(log) } }],
    [{ error: { code: -32000, message: 'header not found' } }],
  ])('reads values', (answer) => {
    expect(parseNodeResponse(asReceived(answer))).toEqual(answer);
  });

  it.each([
    ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['too many values', `[${'[],'.repeat(20_001)}[]]`],
    ['too long a list', `[${'1,'.repeat(2000)}1]`],
    [
      'too many shapes of objects',
      `[${Array.from({ length: 1100 }, (_, i) => `{"a${i % 900}":1,"b${i}":1}`).join()}]`,
    ],
  ])('does not read %s', (_what, result) => {
    const response = asReceived({ result: JSON.parse(result) as unknown });
    expect(() => parseNodeResponse(response)).toThrow(
      new MalformedResponseError('has more in it than is read'),
    );
  });
});
