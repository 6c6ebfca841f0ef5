import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { createMariaDb, createSqlite, describeWithMariaDb, type TestDatabase } from '../support/databases';
import { WITH_TYPESCRIPT } from '../support/run-typescript';
import { CommandProcess } from '../support/stored-secrets';

const ROOT = join(__dirname, '../..');
const KEY = randomBytes(32).toString('base64');
const CREATE_KEY = ['api-key', 'create', '--name', 'x', '--scopes', 'freeze'];

/** Runs a command of the service with this database. */
async function run(url: string, [script, ...args]: string[]) {
  const command = new CommandProcess([`commands/${script}.js`, ...args], { url } as TestDatabase, KEY);
  const code = await command.ended;
  return { code, stdout: command.stdout, stderr: command.stderr };
}

/** An empty folder for each test. */
let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'relayer-command-')));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Runs a command in the folder, without settings. */
function runHere([script, ...args]: string[], env: Record<string, string> = {}) {
  return runProgram([join(ROOT, `dist/commands/${script}.js`), ...args], env);
}

function runProgram(args: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  });
  return { status, stdout, stderr };
}

describe('A command with an unknown argument', () => {
  it.each([
    ['migrate', 1],
    ['storage-rotate', 1],
    ['storage-verify', 1],
    ['audit-verify', 2],
  ])('prints the usage of %s and does nothing', async (script, code) => {
    const database = await createSqlite();
    const usage = `Usage: npm run ${script === 'migrate' ? script : script.replace('-', ':')}\n`;
    try {
      for (const [argument, stderr] of [
        ['--halp', `Unknown option --halp\n${usage}`],
        ['all', usage],
      ] as const)
        expect(await run(database.url, [script, argument])).toEqual({ code, stdout: '', stderr });
    } finally {
      await database.drop();
    }
  });
});

describe('A command that writes documents', () => {
  it.each([
    ['openapi', [join(ROOT, 'dist/commands/openapi.js')], 'Usage: node dist/commands/openapi.js [<file>]\n'],
    [
      'reference',
      [...WITH_TYPESCRIPT, join(ROOT, 'reference/run.ts')],
      'Usage: npm run reference [-- <folder>]\n',
    ],
  ])('prints the usage of %s and writes nothing', (_, program, usage) => {
    const unknown = { status: 1, stdout: '', stderr: `Unknown option --halp\n${usage}` };
    expect(runProgram([...program, '--halp'])).toEqual(unknown);
    expect(runProgram([...program, 'a', 'b'])).toEqual({ status: 1, stdout: '', stderr: usage });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says why it cannot write the file', () => {
    expect(runHere(['openapi', 'missing/openapi.json'])).toEqual({
      status: 1,
      stdout: '',
      stderr: 'missing/openapi.json cannot be written: ENOENT\n',
    });
  });
});

describe('A command with --help', () => {
  it.each([
    'api-key',
    'audit-verify',
    'doctor',
    'import',
    'init',
    'keystore',
    'migrate',
    'openapi',
    'storage-reseal',
    'storage-rotate',
    'storage-verify',
  ])('prints the usage of %s, does nothing and succeeds', (script) => {
    const { status, stdout, stderr } = runHere([script, '--help']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: [^\n]+\n$/);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('A command outside of production, where no start has created keys', () => {
  const COMMANDS: [string[], number][] = [
    [['storage-rotate'], 1],
    [['storage-verify'], 1],
    [['storage-reseal', '--all'], 1],
    [CREATE_KEY, 1],
    [['audit-verify'], 2],
  ];

  it.each(COMMANDS)('%j says that there is no database, and creates none, nor keys', (command, code) => {
    expect(runHere(command)).toEqual({
      status: code,
      stdout: '',
      stderr:
        'DATABASE_URL names the file data/relayer.sqlite, which is not there: in a new installation, npm run migrate or a start creates it\n',
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(COMMANDS)('%j says that the key of its database is not there', (command, code) => {
    writeFileSync(join(folder, 'relayer.sqlite'), '');
    expect(runHere(command, { DATABASE_URL: 'sqlite:relayer.sqlite' })).toEqual({
      status: code,
      stdout: '',
      stderr:
        'STORAGE_ENCRYPTION_KEY is not set, and the file' +
        ` ${join(folder, 'data/storage-encryption-key')} is not there\n`,
    });
    expect(readdirSync(folder)).toEqual(['relayer.sqlite']);
  });

  it('migrates without creating keys', () => {
    expect(runHere(['migrate'], { DATABASE_URL: 'sqlite:relayer.sqlite', LOG_LEVEL: 'error' })).toEqual({
      status: 0,
      stdout: 'The schema is up to date\n',
      stderr: '',
    });
    expect(readdirSync(folder)).not.toContain('data');
  });
});

describe('A command without its database', () => {
  it.each([
    [['storage-rotate'], 1],
    [['storage-verify'], 1],
    [['storage-reseal', '--all'], 1],
    [CREATE_KEY, 1],
    [['audit-verify'], 2],
  ])('%j says that it cannot be reached, and what to do', async (command, code) => {
    expect(await run('mysql://a:s3cret@127.0.0.1:1/x', command)).toEqual({
      code,
      stdout: '',
      stderr:
        'The database 127.0.0.1:1/x cannot be reached (ECONNREFUSED).' +
        ' Start the database server, or correct host and port in DATABASE_URL.\n',
    });
  });
});

describeWithMariaDb('A command whose database refuses it', () => {
  it.each([['migrate'], ['audit-verify']])('%s does not try again with a wrong password', async (script) => {
    const database = await createMariaDb();
    try {
      const url = new URL(database.url);
      url.password = 's3cret';
      expect(await run(url.href, [script])).toEqual({
        code: script === 'migrate' ? 1 : 2,
        stdout: '',
        stderr: expect.stringMatching(
          /^The database \S+ cannot be used by the user test \(ER_ACCESS_DENIED_ERROR\)\. Correct user .*\n$/,
        ),
      });
    } finally {
      await database.drop();
    }
  });
});

describe('A command whose file another process keeps locked', () => {
  it.each([
    [['storage-verify'], 1],
    [CREATE_KEY, 1],
    [['audit-verify'], 2],
  ])('%j says so in one line', async (command, code) => {
    const database = await createSqlite();
    const file = database.url.slice('sqlite:'.length);
    const other = new Database(file);
    try {
      other.exec('PRAGMA journal_mode = WAL; CREATE TABLE one (id int)');
      other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; INSERT INTO one VALUES (1)');
      expect(await run(database.url, command)).toEqual({
        code,
        stdout: '',
        stderr: `The database ${file} cannot be used (SQLITE_BUSY). Another process keeps the file locked: end it, or try again.\n`,
      });
    } finally {
      other.close();
      await database.drop();
    }
  });
});

/** A shell that lets its program write no byte to a file, as a full disk would. */
const WITHOUT_SPACE = 'trap \'\' XFSZ; ulimit -f 0; exec "$@"';

describe('A command on a full disk', () => {
  it.each([
    [['keystore', 'create'], 'cannot be created: EFBIG'],
    [['init'], 'is incomplete: EFBIG'],
  ])('%j says so in one line', ([script, ...args], fault) => {
    const place = join(folder, 'new');
    const program = [process.execPath, `dist/commands/${script}.js`, ...args, place];
    const { status, stdout, stderr } = spawnSync('sh', ['-c', WITHOUT_SPACE, 'sh', ...program], {
      env: { PATH: process.env.PATH, KEYSTORE_PASSPHRASE: 'correct horse battery staple' },
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: `${place} ${fault}\n` });
    // Another attempt would not overwrite the remains of a keystore.
    if (script === 'keystore') expect(existsSync(place)).toBe(false);
  });
});
