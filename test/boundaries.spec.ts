import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..');
const CRUISE = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

describe('The module boundaries', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'boundaries-'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const part of ['.dependency-cruiser.cjs', 'boundaries', 'tsconfig.json'])
      cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  /** The result of the check for a tree of these files, given the imports of each. */
  const check = (files: Record<string, string[]>): Promise<{ code: unknown; text: string }> => {
    for (const [path, imports] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      const lines = imports.map((target, index) => `import { value as v${index} } from '${target}';`);
      const value = `[${imports.map((_target, index) => `v${index}`).join(', ')}]`;
      writeFileSync(
        join(folder, path),
        [...lines, `export const value: unknown[] = ${value};`, ''].join('\n'),
      );
    }
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [CRUISE, 'src', '--config', '.dependency-cruiser.cjs', '--output-type', 'err'],
        { cwd: folder },
        (error, stdout) => {
          resolve({ code: error?.code ?? 0, text: stdout });
        },
      );
    });
  };

  it('accept imports from lower layers', async () => {
    const { code, text } = await check({
      'src/common/a.ts': [],
      'src/relayers/b.ts': ['../common/a'],
      'src/main.ts': ['./relayers/b'],
    });
    expect([code, text]).toEqual([0, expect.stringContaining('no dependency violations')]);
  });

  it.each([
    ['that imports others', { 'src/webhooks/b.ts': ['../common/a'] }],
    ['that others import', { 'src/webhooks/b.ts': [], 'src/relayers/c.ts': ['../webhooks/b'] }],
    ['in a folder with layers', { 'src/chains/bitcoin/b.ts': ['../../common/a'] }],
  ])('reject a folder without a layer %s', async (_what, files: Record<string, string[]>) => {
    const { code, text } = await check({ 'src/common/a.ts': [], 'src/main.ts': ['./common/a'], ...files });
    expect(code).not.toBe(0);
    expect(text).toContain('every-folder-has-a-layer');
  });

  it('reject imports of layers that are not lower', async () => {
    const { text } = await check({
      'src/common/a.ts': ['../config/a'],
      'src/config/a.ts': [],
      'src/signers/a.ts': ['../networks/a'],
      'src/networks/a.ts': [],
      'src/chains/rpc/a.ts': ['../evm/a'],
      'src/chains/evm/a.ts': [],
    });
    for (const folder of ['common', 'signers', 'chains-rpc'])
      expect(text).toContain(`${folder}-imports-lower-layers-only`);
  });
});
