import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiKey, storageKey } from '../../test/support/keys';
import { checkClock } from './clock.check';
import { checkFiles } from './files.check';
import { reportAsJson, reportAsText } from './report';
import { isAtLeast, parseVersion } from './server-version';
import { checkSettings } from './settings.check';

const PRODUCTION = {
  NODE_ENV: 'production',
  API_KEY: apiKey('doctor'),
  STORAGE_ENCRYPTION_KEY: storageKey(1),
  DATABASE_URL: 'mysql://relayer:pa55word@db.example:3306/relayer',
};

describe('checkSettings', () => {
  it('passes with the settings that production requires', () => {
    const { config, findings } = checkSettings(PRODUCTION);
    expect(findings).toEqual([{ check: 'settings', status: 'ok', detail: 'production' }]);
    expect(config?.production).toBe(true);
  });

  it.each([
    [{ API_KEY: '' }, 'API_KEY is required in production', 'openssl rand -hex 32'],
    [{ STORAGE_ENCRYPTION_KEY: 'short' }, 'STORAGE_ENCRYPTION_KEY ', 'openssl rand -base64 32'],
    [{ DATABASE_URL: 'postgres://db' }, 'DATABASE_URL must be', 'mysql://user:password@host:3306/name'],
    [{ PORT: 'eighty' }, 'PORT must be', 'docs/reference/settings.md'],
    [{ API_KEY: '', API_KEY_FILE: '/no/such/file' }, 'API_KEY_FILE must name a file', 'Mount the file'],
    [{ API_KEY_FILE: '/no/such/file' }, 'API_KEY and API_KEY_FILE must not both', 'Remove one'],
  ])('advises how to fix %o', (change, detail, advice) => {
    const { config, findings } = checkSettings({ ...PRODUCTION, ...change });
    expect(config).toBeUndefined();
    expect(findings).toContainEqual({
      check: 'settings',
      status: 'problem',
      detail: expect.stringContaining(detail),
      advice: expect.stringContaining(advice),
    });
    expect(JSON.stringify(findings)).not.toContain('pa55word');
  });
});

describe('checkSettings of misspelt names', () => {
  it('warns about them, and names the setting', () => {
    const { findings } = checkSettings({ ...PRODUCTION, APROVALS: 'unpause=1' });
    expect(findings.slice(1)).toEqual([
      {
        check: 'settings',
        status: 'warning',
        detail: 'APROVALS has no effect',
        advice: 'Did you mean APPROVALS?',
      },
    ]);
  });
});

describe('checkFiles', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'doctor-files-'))));
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const mounted = (mode: number): string => {
    const file = join(folder, 'api-key');
    writeFileSync(file, apiKey('mounted'));
    chmodSync(file, mode);
    return file;
  };

  it('warns about a mounted secret that every user can read', () => {
    const file = mounted(0o444);
    expect(checkFiles({ API_KEY_FILE: file })).toEqual([
      {
        check: 'files',
        status: 'warning',
        detail: `${file} is open to every user of this machine (mode 0444)`,
        advice: 'Mount it with mode 0440 or stricter.',
      },
    ]);
  });

  it('reports a file that cannot be examined, with its path, and goes on', () => {
    // Root may search any folder, so the path leads through a file instead.
    const through = join(mounted(0o444), 'key');
    const second = join(folder, 'second');
    writeFileSync(second, 'x', { mode: 0o644 });
    expect(checkFiles({ API_KEY_FILE: through, DATABASE_URL_FILE: second })).toEqual([
      {
        check: 'files',
        status: 'problem',
        detail: `${through} cannot be read (ENOTDIR)`,
        advice: 'Let the user of the service read it.',
      },
      expect.objectContaining({ status: 'warning', detail: expect.stringContaining(second) }),
    ]);
  });

  it('accepts a secret that its group can read, as Kubernetes mounts it', () => {
    expect(checkFiles({ API_KEY_FILE: mounted(0o440) })).toMatchObject([{ status: 'ok' }]);
  });
});

describe('checkClock', () => {
  const reading = { source: 'the database', askedAt: 10_000, respondedAt: 10_400 };

  it.each([
    ['the same time', 10_200],
    ['what a slow response explains', 10_000],
    ['two seconds more', 12_400],
    ['two seconds less', 8_000],
  ])('accepts %s', (_what, shown) => {
    expect(checkClock([{ ...reading, shown }])).toEqual([
      { check: 'clock', status: 'ok', detail: 'agrees with that of the database' },
    ]);
  });

  it.each([
    ['behind', 13_000, '2.6 s behind that of the database'],
    ['ahead', 7_000, '3.0 s ahead of that of the database'],
  ])('warns when this machine is %s', (_what, shown, detail) => {
    expect(checkClock([{ ...reading, shown }])).toEqual([
      { check: 'clock', status: 'warning', detail, advice: expect.stringContaining('Synchronize') },
    ]);
  });
});

describe('isAtLeast', () => {
  it.each([
    ['10.11.6-MariaDB-0+deb12u1', [10, 6], true],
    ['10.5.12-MariaDB', [10, 6], false],
    ['8.4.3', [8, 0], true],
    ['5.7.44', [8, 0], false],
    ['unknown', [6, 2], false],
  ] as const)('%s compared with %j', (text, oldest, expected) => {
    expect(isAtLeast(parseVersion(text), oldest)).toBe(expected);
  });
});

describe('The report', () => {
  const findings = [
    { check: 'settings', status: 'ok', detail: 'production' },
    { check: 'database', status: 'problem', detail: 'cannot be used', advice: 'Start it.' },
  ] as const;

  it('has a line for each finding, with the advice below it', () => {
    expect(reportAsText(findings)).toBe(
      [
        'ok       settings  production',
        'problem  database  cannot be used',
        '                   → Start it.',
        '',
        '1 problem, 0 warnings.',
      ].join('\n'),
    );
  });

  it('is available as JSON', () => {
    expect(JSON.parse(reportAsJson(findings, '1.2.3'))).toEqual({
      version: '1.2.3',
      healthy: false,
      findings,
    });
  });
});
