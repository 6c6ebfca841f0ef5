import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitsOf } from '../reference/limits-in-sources';

describe('limitsOf', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'limits-'))));
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });
  const write = (source: string): void => {
    writeFileSync(join(folder, 'a.ts'), source);
  };

  it('reads marked constants and properties, with the unit in the suffix of their names', () => {
    write(`
      const KIBIBYTE = 1024;
      /** Not marked. */
      const OTHER = 7;
      /** Size of a body. @limit Bodies */
      export const MAX_BODY_BYTES = 256 * KIBIBYTE;
      /** Share of a client. @limit Bodies */
      const SHARE_PERCENT = 80;
      /**
       * Time for
       * a call.
       * @limit Calls
       */
      const TIMEOUT_MS = 90_000;
      const limits: Limits = {
        /** Calls at once. @limit Calls */
        concurrency: 16_000,
        /** Time until a pause. @limit Calls */
        pauseMs: 120_000,
      };
      /** How long calls are shown. @limit Calls */
      const KEPT_MS = 90 * 86_400_000;
    `);
    expect(limitsOf(folder)).toEqual([
      [
        'Bodies',
        [
          { value: '256 KiB', text: 'Size of a body.' },
          { value: '80 %', text: 'Share of a client.' },
        ],
      ],
      [
        'Calls',
        [
          { value: '90 s', text: 'Time for a call.' },
          { value: '16 000', text: 'Calls at once.' },
          { value: '2 min', text: 'Time until a pause.' },
          { value: '90 days', text: 'How long calls are shown.' },
        ],
      ],
    ]);
  });

  it('throws if it cannot evaluate a value', () => {
    write('/** Size. @limit Bodies */\nconst MAX_BYTES = sizeOf(x);');
    expect(() => limitsOf(folder)).toThrow('sizeOf(x)');
  });
});
