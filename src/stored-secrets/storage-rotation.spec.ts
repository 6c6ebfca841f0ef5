import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import libsql from 'libsql';
import type { DataSource } from 'typeorm';
import { RowMacs } from '../secrets/row-macs';
import { Secret } from '../common/secrets/secret';
import { type SealedColumn, SecretCipher, type SecretPlace } from '../secrets/secret-cipher';
import { createDataSource, dataSourceOptions } from '../database/data-source';
import { UnitOfWork } from '../database/unit-of-work';
import { StorageRotation } from './storage-rotation';
import { StoredRecords } from './stored-records';

const CODE: SealedColumn = { table: 'things', column: 'code' };
const NOTE: SealedColumn = { table: 'notes', column: 'note_text' };
const COLUMNS = [CODE, NOTE];
const [OLD, NEW, LOST] = [1, 2, 3].map((byte) => new Secret(Buffer.alloc(32, byte).toString('base64'))) as [
  Secret,
  Secret,
  Secret,
];
const cipherOf = (...keys: Secret[]) => new SecretCipher(keys, COLUMNS);
const seal = (key: Secret, place: SecretPlace, text: string): string =>
  cipherOf(key).seal(new Secret(text), place);

/** Runs a callback just before a record is opened. */
class InterruptedCipher extends SecretCipher {
  opened = 0;

  constructor(private readonly before: (opened: number, place: SecretPlace) => void) {
    super([NEW, OLD], COLUMNS);
  }

  override open(record: string, place: SecretPlace): Secret {
    this.opened += 1;
    this.before(this.opened, place);
    return super.open(record, place);
  }
}

describe('StorageRotation', () => {
  let folder: string;
  let dataSource: DataSource;
  /** Another process that writes to the same database. */
  let other: InstanceType<typeof libsql>;
  let printed: string[];
  let errors: string[];
  let stop: AbortController;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'relayer-rotation-'));
    const options = dataSourceOptions({ type: 'sqlite', file: join(folder, 'db') }, []);
    dataSource = await createDataSource(options).initialize();
    await dataSource.query('CREATE TABLE things (id varchar PRIMARY KEY, code text)');
    await dataSource.query('CREATE TABLE notes (id varchar PRIMARY KEY, note_text text)');
    other = new libsql(join(folder, 'db'));
    [printed, errors, stop] = [[], [], new AbortController()];
  });

  afterEach(async () => {
    other.close();
    await dataSource.destroy();
    rmSync(folder, { recursive: true });
  });

  const write = ({ table, column, row }: SecretPlace, sealed: string | null): void => {
    other.prepare(`INSERT OR REPLACE INTO ${table} (id, ${column}) VALUES (?, ?)`).run(row, sealed);
  };
  const store = (column: SealedColumn, row: string, key: Secret, text = `text of ${row}`): void => {
    write({ ...column, row }, seal(key, { ...column, row }, text));
  };
  const fill = (column: SealedColumn, count: number, key: Secret): void => {
    for (let i = 0; i < count; i += 1) store(column, `row-${String(i).padStart(4, '0')}`, key);
  };
  const dump = () => [
    other.prepare('SELECT * FROM things ORDER BY id').all(),
    other.prepare('SELECT * FROM notes ORDER BY id').all(),
  ];
  const textOf = ({ table, column }: SealedColumn, row: string, ...keys: Secret[]): string => {
    const { sealed } = other.prepare(`SELECT ${column} AS sealed FROM ${table} WHERE id = ?`).get(row) as {
      sealed: string;
    };
    return cipherOf(...keys)
      .open(sealed, { table, column, row })
      .reveal();
  };
  const rotate = (cipher: SecretCipher = cipherOf(NEW, OLD)): Promise<boolean> =>
    new StorageRotation(new StoredRecords(new UnitOfWork(dataSource), cipher, new RowMacs([NEW], [])).all, {
      print: (line) => printed.push(line),
      printToStderr: (line) => errors.push(line),
    }).run(stop.signal);

  it('re-encrypts every secret of every column with the first key', async () => {
    fill(CODE, 250, OLD);
    fill(NOTE, 3, OLD);
    write({ ...CODE, row: 'none' }, null);
    expect(await rotate()).toBe(true);
    for (const row of ['row-0000', 'row-0099', 'row-0100', 'row-0249'])
      expect(textOf(CODE, row, NEW)).toBe(`text of ${row}`);
    expect(textOf(NOTE, 'row-0002', NEW)).toBe('text of row-0002');
    expect(printed).toEqual([
      'Each of the 253 records can be used, 253 need rotation',
      'things.code: 250 of 250 rotated',
      'notes.note_text: 3 of 3 rotated',
      'Each of these records uses the first storage key',
    ]);
    expect(errors).toEqual([]);
  });

  it('leaves records of the first key unchanged', async () => {
    store(CODE, 'done', NEW);
    store(CODE, 'open', OLD);
    const before = dump()[0]?.[0];
    expect(await rotate()).toBe(true);
    expect(dump()[0]?.[0]).toEqual(before);
    expect(printed[1]).toBe('things.code: 1 of 1 rotated');
    const rotated = dump();
    expect(await rotate()).toBe(true);
    expect(dump()).toEqual(rotated);
  });

  it('only verifies the records if there is one key', async () => {
    store(CODE, 'a', NEW);
    expect(await rotate(cipherOf(NEW))).toBe(true);
    expect(printed).toEqual([
      'Each of the 1 records can be used, 0 need rotation',
      'Each of these records uses the first storage key',
    ]);
    store(CODE, 'b', OLD);
    expect(await rotate(cipherOf(NEW))).toBe(false);
    expect(errors[0]).toBe('things.code: 1 of 2 cannot be decrypted with the storage keys: b');
  });

  it('changes nothing if any secret cannot be opened, and names the rows of every column', async () => {
    fill(CODE, 120, OLD);
    store(CODE, 'of-a-lost-key', LOST);
    store(NOTE, 'of-the-first-key', NEW);
    store(NOTE, 'opens', OLD);
    write({ ...NOTE, row: 'copied' }, seal(NEW, { ...NOTE, row: 'elsewhere' }, 'x'));
    write({ ...NOTE, row: 'garbage' }, 'garbage');
    const before = dump();
    expect(await rotate()).toBe(false);
    expect(dump()).toEqual(before);
    expect(printed).toEqual([]);
    expect(errors).toEqual([
      'things.code: 1 of 121 cannot be decrypted with the storage keys: of-a-lost-key',
      'notes.note_text: 2 of 4 cannot be decrypted with the storage keys: copied, garbage',
      'Nothing was changed: STORAGE_ENCRYPTION_KEY must have the key of every record, and storage:verify must find no fault',
    ]);
  });

  it('names at most 100 rows of a column', async () => {
    fill(CODE, 150, LOST);
    expect(await rotate()).toBe(false);
    expect(errors[0]).toMatch(/^things\.code: 150 of 150 .*: row-0000, .*row-0099 and 50 more$/);
    expect(errors[0]).not.toContain('row-0100');
  });

  it('never overwrites a concurrent write of another process', async () => {
    fill(CODE, 3, OLD);
    const cipher = new InterruptedCipher((opened, { row }) => {
      // The first three were opened by the check.
      if (opened === 5) store(CODE, row, NEW, 'written meanwhile with the first key');
      if (opened === 6) store(CODE, row, OLD, 'written meanwhile with the old key');
    });
    expect(await rotate(cipher)).toBe(true);
    expect(textOf(CODE, 'row-0000', NEW)).toBe('text of row-0000');
    expect(textOf(CODE, 'row-0001', NEW)).toBe('written meanwhile with the first key');
    expect(textOf(CODE, 'row-0002', NEW)).toBe('written meanwhile with the old key');
    expect(printed).toContain('things.code: 1 of 3 rotated, the others were changed or deleted meanwhile');
    expect(printed).toContain('things.code: 2 of 3 rotated, the others were changed or deleted meanwhile');
  });

  it('continues if a row is deleted during the rotation', async () => {
    fill(CODE, 3, OLD);
    const cipher = new InterruptedCipher((opened, { row }) => {
      if (opened === 5) other.prepare('DELETE FROM things WHERE id = ?').run(row);
    });
    expect(await rotate(cipher)).toBe(true);
    expect(dump()[0]).toHaveLength(2);
  });

  it('gives up if an instance keeps writing with an old key', async () => {
    store(CODE, 'busy', OLD);
    const cipher = new InterruptedCipher((opened) => {
      if (opened > 1) store(CODE, 'busy', OLD, `change ${opened}`);
    });
    expect(await rotate(cipher)).toBe(false);
    expect(textOf(CODE, 'busy', OLD)).toBe('change 21');
    expect(errors).toEqual([
      'Records are still being written with an older key: some instance lists another key first. Run the command again once none does',
    ]);
  });

  it('stops at a secret that became unreadable after the check', async () => {
    fill(CODE, 3, OLD);
    const cipher = new InterruptedCipher((opened) => {
      if (opened === 4) store(CODE, 'row-0001', LOST);
    });
    expect(await rotate(cipher)).toBe(false);
    expect(textOf(CODE, 'row-0002', NEW)).toBe('text of row-0002');
    expect(errors).toEqual([
      'things.code row-0001: it cannot be decrypted with the storage keys',
      'Stopped before the end. Run it again to continue with the rest',
    ]);
  });

  it.each([
    ['the check', 2, 3],
    ['the rotation', 5, 1],
  ])('stops after the current record of %s, and continues in the next run', async (_when, opened, left) => {
    fill(CODE, 3, OLD);
    const cipher = new InterruptedCipher((count) => {
      if (count === opened) stop.abort();
    });
    expect(await rotate(cipher)).toBe(false);
    expect(errors).toEqual(['Stopped before the end. Run it again to continue with the rest']);
    const old = cipherOf(OLD).newestPrefix(CODE);
    const codes = dump()[0] as { code: string }[];
    expect(codes.filter(({ code }) => code.startsWith(old))).toHaveLength(left);
    stop = new AbortController();
    expect(await rotate()).toBe(true);
    expect(textOf(CODE, 'row-0002', NEW)).toBe('text of row-0002');
  });

  it('never reveals a secret', async () => {
    store(CODE, 'a', OLD, 'hidden-text');
    store(CODE, 'b', LOST, 'hidden-text');
    await rotate();
    await rotate(cipherOf(NEW, OLD, LOST));
    const output = [...printed, ...errors].join('\n');
    expect(output).not.toContain('hidden-text');
    for (const key of [OLD, NEW, LOST]) expect(output).not.toContain(key.reveal());
  });
});
