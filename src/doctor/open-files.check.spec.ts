import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkOpenFiles } from './open-files.check';

describe('checkOpenFiles', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'doctor-limits-'))));
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const limits = (soft: string): string => {
    const file = join(folder, 'limits');
    writeFileSync(
      file,
      [
        'Limit                     Soft Limit           Hard Limit           Units     ',
        'Max processes             96365                96365                processes ',
        `Max open files            ${soft.padEnd(21)}1048576              files     `,
        'Max locked memory         8388608              8388608              bytes     ',
      ].join('\n'),
    );
    return file;
  };

  it.each([
    ['2500', undefined],
    ['4500', 9090],
    ['unlimited', 9090],
  ])('accepts a limit of %s for 2000 connections, with METRICS_PORT %s', (soft, metricsPort) => {
    expect(checkOpenFiles({ maxConnections: 2000, metricsPort }, limits(soft))).toMatchObject([
      { check: 'open files', status: 'ok' },
    ]);
  });

  it.each([
    ['2499', undefined, 2500],
    ['4499', 9090, 4500],
  ])('warns of a limit of %s for 2000 connections, with METRICS_PORT %s', (soft, metricsPort, needed) => {
    expect(checkOpenFiles({ maxConnections: 2000, metricsPort }, limits(soft))).toEqual([
      {
        check: 'open files',
        status: 'warning',
        detail: `${soft} per process, and HTTP_MAX_CONNECTIONS may need ${needed}`,
        advice: expect.stringContaining('LimitNOFILE') as string,
      },
    ]);
  });

  it('finds nothing where the limit is not known', () => {
    expect(checkOpenFiles({ maxConnections: 2000, metricsPort: undefined }, join(folder, 'none'))).toEqual(
      [],
    );
  });
});
