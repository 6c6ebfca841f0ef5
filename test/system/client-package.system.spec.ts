import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clientOf } from '../support/client';
import { describeService } from '../support/describe-service';

const ROOT = join(__dirname, '../..');
const NAME = 'relayer-management-service-client';
/** The service as `npm start` starts it: with the relayer `demo`. */
const SETTINGS = { CONFIG_FILE: '', NODE_ENV: 'development' };

const run = promisify(execFile);

/** The JavaScript examples in the README of the client. */
const programs = [
  ...readFileSync(join(ROOT, 'client/README.md'), 'utf8').matchAll(/^```js\n([^]*?)^```$/gm),
].map(([, text = '']) => text);

/** The same program with `require` in place of `import`. */
const asCommonJs = (text: string): string =>
  `(async () => {\n${text.replace(/^import (\{.*\}) from (.*);$/gm, 'const $1 = require($2);')}})();\n`;

describeService('The client package', { settings: SETTINGS, onlySqlite: true }, ({ service }) => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'relayer-client-'));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(ROOT, 'client'), join(folder, 'node_modules', NAME));
    for (const peer of ['viem', 'ethers', '@types'])
      symlinkSync(join(ROOT, 'node_modules', peer), join(folder, 'node_modules', peer));
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('has the version of the service', () => {
    const [client, whole] = ['client/package.json', 'package.json'].map(
      (path) => (JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as { version: string }).version,
    );
    expect(client).toBe(whole);
  });

  /** The output of a program in a project that has the package installed. */
  const output = async (file: string, text: string): Promise<string> => {
    writeFileSync(join(folder, file), text);
    const env = {
      PATH: process.env.PATH,
      RELAYER_URL: service.url,
      RELAYER_API_KEY: service.config.apiKeys[0].reveal(),
    };
    return (await run(process.execPath, [file], { cwd: folder, env, timeout: 30_000 })).stdout;
  };

  it.each<[string, string, (text: string) => string]>([
    ['ES modules', 'mjs', (text) => text],
    ['CommonJS', 'cjs', asCommonJs],
  ])('runs the examples of its README as %s', async (_kind, extension, written) => {
    const { address } = await clientOf(service).relayer('demo').get();
    const { sig } = await clientOf(service).relayer('demo').signMessage('Hello');
    const outputs: string[] = [];
    for (const [index, text] of programs.entries())
      outputs.push(await output(`page-${index}.${extension}`, written(text)));
    expect(outputs).toEqual([
      `0x${sig}\n`,
      expect.stringMatching(
        new RegExp(`^demo ${address}\\n(\\d+ of \\d+\\n)+Relayer with ID nobody not found\\n$`),
      ),
      `0x${sig}\n0x${sig}\n`,
    ]);
  });

  it('contains the files that it needs, and nothing else', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], {
      cwd: join(ROOT, 'client'),
      timeout: 60_000,
    });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const paths = files.map(({ path }) => path);
    expect(paths.filter((path) => !path.startsWith('dist/')).sort()).toEqual([
      'LICENSE',
      'README.md',
      'package.json',
    ]);
    for (const entry of ['index', 'viem', 'ethers'])
      for (const folder of ['cjs', 'esm'])
        expect(paths).toEqual(
          expect.arrayContaining([`dist/${folder}/${entry}.js`, `dist/${folder}/${entry}.d.ts`]),
        );
    expect(paths.filter((path) => path.includes('spec'))).toEqual([]);
  });

  it('exports the same names to import and require', async () => {
    for (const entry of ['', '/viem', '/ethers']) {
      const print = `console.log(Object.keys(entry).filter((name) => name !== 'default' && name !== 'module.exports').sort())`;
      const imported = await output('names.mjs', `import * as entry from '${NAME + entry}';\n${print}`);
      const required = await output('names.cjs', `const entry = require('${NAME + entry}');\n${print}`);
      expect(required.replace("  '__esModule',\n", '')).toBe(imported);
      expect(imported.length).toBeGreaterThan(5);
    }
  });

  it.each(['mts', 'cts'])('has types for a .%s program', async (extension) => {
    const lines = [
      `import { RelayerClient, type Transaction } from '${NAME}';`,
      `import { toRelayerAccount } from '${NAME}/viem';`,
      `import { RelayerSigner } from '${NAME}/ethers';`,
      `const client = new RelayerClient({ url: 'http://127.0.0.1', apiKey: 'x' });`,
      `const relayer = client.relayer('demo');`,
      `export const sent: Promise<Transaction> = relayer.sendTransaction({ value: 1n, speed: 'fast' });`,
      `export const account = toRelayerAccount(relayer).then(({ address }) => address.slice(2));`,
      `export const signer: Promise<RelayerSigner> = RelayerSigner.create(relayer);`,
      `// @ts-expect-error: no such speed`,
      `void relayer.sendTransaction({ value: 1n, speed: 'slow' });`,
      `// @ts-expect-error: no such path`,
      `void client.get('/api/v1/relayer');`,
      `// @ts-expect-error: the path has a parameter`,
      `void client.get('/api/v1/relayers/{relayer_id}');`,
      `// @ts-expect-error: no such field`,
      `void client.post('/api/v1/notifications', { body: { url: 'https://x', secret: 'x' } });`,
      `export const names: Promise<string> = client`,
      `  .get('/api/v1/relayers/{relayer_id}', { path: { relayer_id: 'x' } })`,
      `  .then(({ name }) => name);`,
      '',
    ];
    writeFileSync(join(folder, `program.${extension}`), lines.join('\n'));
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck'];
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const compiled = run(
      process.execPath,
      [tsc, ...options, '--types', 'node', '--ignoreConfig', `program.${extension}`],
      { cwd: folder, timeout: 120_000 },
    ).catch((error: unknown) => error as { stdout: string });
    expect((await compiled).stdout).toBe('');
  });
});
