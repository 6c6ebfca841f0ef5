import { randomBytes } from 'node:crypto';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../support/databases';
import { CommandProcess } from '../support/stored-secrets';

const KEY = randomBytes(32).toString('base64');

describeWithMariaDb('A start whose database refuses it', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createMariaDb();
  });

  afterEach(() => database.drop());

  /** Starts the service until it exits; the fields of its only line on standard error. */
  const lineOf = async (url: URL, main = 'main.js'): Promise<object> => {
    const service = new CommandProcess([main], { ...database, url: url.href }, KEY);
    expect(await service.ended).toBe(1);
    expect(`${service.stdout}${service.stderr}`).not.toContain('s3cret');
    expect(service.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(service.stdout).not.toContain('Retrying');
    return JSON.parse(service.stderr) as object;
  };

  it('says in one line which user has which password wrong, and does not try again', async () => {
    const url = new URL(database.url);
    url.password = 's3cret-but-wrong';
    expect(await lineOf(url)).toEqual({
      level: 'fatal',
      pid: expect.any(Number),
      timestamp: expect.any(String),
      context: 'Main',
      message: 'The service could not start',
      cause:
        `The database ${url.host}${url.pathname} cannot be used by the user test (ER_ACCESS_DENIED_ERROR).` +
        ' Correct user and password in DATABASE_URL; percent-encode special characters.',
    });
  });

  it('says in one line that there is no database of this name', async () => {
    const url = new URL(database.url);
    url.pathname = '/nothing';
    expect(await lineOf(url)).toMatchObject({
      message: 'The service could not start',
      cause:
        `The database ${url.host}/nothing cannot be used (ER_BAD_DB_ERROR).` +
        ' Create the database: CREATE DATABASE … CHARACTER SET utf8mb4.',
    });
  });
});

describe('A start whose file cannot be opened', () => {
  it('says so in one line', async () => {
    const service = new CommandProcess(['main.js'], { url: 'sqlite:/dev' } as TestDatabase, KEY);
    expect(await service.ended).toBe(1);
    expect(service.stderr).toMatch(/^DATABASE_URL: \/dev cannot be opened: .*\n$/);
  });
});
