import { isRefusedByServer, readOnlyVariable } from './read-only-server';

const responding = (row: Record<string, string | number>) =>
  readOnlyVariable({ query: () => Promise.resolve([row]) } as never);
const failing = (code: string) =>
  readOnlyVariable({ query: () => Promise.reject(Object.assign(new Error(code), { code })) } as never);

describe('readOnlyVariable', () => {
  it.each([
    [{ read_only: 0, innodb_read_only: 0 }, undefined],
    [{ read_only: '0', innodb_read_only: '0' }, undefined],
    [{ read_only: 'OFF', innodb_read_only: 0 }, undefined],
    [{ read_only: 1, innodb_read_only: 0 }, 'read_only'],
    [{ read_only: '1', innodb_read_only: '0' }, 'read_only'],
    [{ read_only: 'NO_LOCK_NO_ADMIN', innodb_read_only: 0 }, 'read_only'],
    [{ read_only: 0, innodb_read_only: 1 }, 'innodb_read_only'],
  ])('reads %j', async (row, variable) => {
    expect(await responding(row)).toBe(variable);
  });

  it('accepts a server without these variables', async () => {
    expect(await failing('ER_UNKNOWN_SYSTEM_VARIABLE')).toBeUndefined();
  });

  it.each(['ECONNREFUSED', 'ER_UNKNOWN_COM_ERROR'])(
    'fails if the server does not respond: %s',
    async (code) => {
      await expect(failing(code)).rejects.toThrow(code);
    },
  );
});

describe('isRefusedByServer', () => {
  it.each([
    ['ER_OPTION_PREVENTS_STATEMENT', true],
    ['ER_READ_ONLY_MODE', true],
    ['ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION', true],
    ['ER_UNKNOWN_COM_ERROR', true],
    ['ER_LOCK_DEADLOCK', false],
  ])('%s: %s', (code, isRefused) => {
    expect(isRefusedByServer(Object.assign(new Error('refused'), { code }))).toBe(isRefused);
  });
});
