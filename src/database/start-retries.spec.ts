import { Logger } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { ConfigurationError } from '../config/configuration-error';
import { retryLikeStart } from './start-retries';

const down = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('retryLikeStart', () => {
  beforeEach(() => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const attempts = (connect: jest.Mock): Promise<unknown> =>
    retryLikeStart(connect as () => Promise<string>, 1).catch((error: unknown) => error);

  it('waits for a server that is still starting', async () => {
    const connect = jest.fn().mockRejectedValueOnce(down).mockRejectedValueOnce(down).mockResolvedValue('up');
    expect(await attempts(connect)).toBe('up');
  });

  it('gives up after ten attempts', async () => {
    const connect = jest.fn().mockRejectedValue(down);
    expect(await attempts(connect)).toBe(down);
    expect(connect).toHaveBeenCalledTimes(10);
  });

  it('does not repeat what cannot change by itself', async () => {
    const connect = jest.fn().mockRejectedValue(new ConfigurationError(['the file is missing']));
    expect(await attempts(connect)).toBeInstanceOf(ConfigurationError);
    expect(connect).toHaveBeenCalledTimes(1);
  });

  it.each(['ER_OPTION_PREVENTS_STATEMENT', 'ER_UNKNOWN_COM_ERROR', 'ER_SERVER_SHUTDOWN'])(
    'waits if the server refuses statements for a time: %s',
    async (code) => {
      const refused = new QueryFailedError('SELECT 1', [], Object.assign(new Error(code), { code }));
      expect(await attempts(jest.fn().mockRejectedValueOnce(refused).mockResolvedValue('up'))).toBe('up');
    },
  );

  it.each(['ER_ACCESS_DENIED_ERROR', 'ER_DBACCESS_DENIED_ERROR', 'ER_BAD_DB_ERROR'])(
    'does not repeat what the server refuses until an operator changes something: %s',
    async (code) => {
      const refused = Object.assign(new Error(code), { code });
      expect(await attempts(jest.fn().mockRejectedValueOnce(refused).mockResolvedValue('up'))).toBe(refused);
    },
  );

  it('does not repeat a statement that a file refuses, whose code has no name', async () => {
    const code = 'UNKNOWN_SQLITE_ERROR_1544';
    const refused = new QueryFailedError('SELECT 1', [], Object.assign(new Error(code), { code }));
    expect(await attempts(jest.fn().mockRejectedValueOnce(refused).mockResolvedValue('up'))).toBe(refused);
  });

  it('numbers the attempts in the log', async () => {
    await attempts(jest.fn().mockRejectedValueOnce(down).mockRejectedValueOnce(down).mockResolvedValue('up'));
    expect(jest.mocked(Logger.prototype.warn).mock.calls.map(([, details]) => details as unknown)).toEqual([
      { attempt: 1, attempts: 10, cause: 'connect ECONNREFUSED' },
      { attempt: 2, attempts: 10, cause: 'connect ECONNREFUSED' },
    ]);
  });

  it('does not repeat a statement that the that the server refuses', async () => {
    const code = 'ER_PARSE_ERROR';
    const refused = new QueryFailedError('SELECT 1', [], Object.assign(new Error(code), { code }));
    expect(await attempts(jest.fn().mockRejectedValueOnce(refused).mockResolvedValue('up'))).toBe(refused);
  });
});
