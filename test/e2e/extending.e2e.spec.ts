import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { HDNodeWallet, recoverAddress } from 'ethers';
import { send } from '../support/http';
import { freePort, until } from '../support/private-servers';

const ROOT = join(__dirname, '../..');
const PHRASE = 'test test test test test test test test test test test junk';
const ADDRESS = HDNodeWallet.fromPhrase(PHRASE, undefined, "m/44'/60'/0'/0/3").address;
const DIGEST = '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2';
const HASHES = {
  domain_separator: 'f2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f',
  hash_struct_message: 'c52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e',
};

/** The fenced blocks of the page: files by the path in their first line, and the configuration. */
function blocksOf(page: string): { files: [string, string][]; config: string } {
  const blocks = [...page.matchAll(/```(ts|json)\n([\s\S]*?)```/g)].map(([, language, text]) => ({
    language,
    text: text!,
  }));
  return {
    files: blocks
      .filter(({ language }) => language === 'ts')
      .map(({ text }) => [/^\/\/ (\S+)\n/.exec(text)?.[1] ?? '', text]),
    config: blocks.find(({ language }) => language === 'json')?.text ?? '',
  };
}

describe('docs/extending.md', () => {
  const { files, config } = blocksOf(readFileSync(join(ROOT, 'docs/extending.md'), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'relayer-extending-'));

  beforeAll(async () => {
    for (const part of ['src', 'tsconfig.json', 'tsconfig.build.json', 'package.json', 'jest.config.cjs']) {
      cpSync(join(ROOT, part), join(folder, part), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const root = join(folder, 'src/app/app.module.ts');
    const text = readFileSync(root, 'utf8')
      .replace('import ', "import { SeedPhraseModule } from '../seed-phrase/seed-phrase.module';\nimport ")
      .replace('        ProvisioningModule,\n', '        ProvisioningModule,\n        SeedPhraseModule,\n');
    expect(text.match(/SeedPhraseModule/g)).toHaveLength(2);
    writeFileSync(root, text);
    await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.build.json'], {
      cwd: folder,
    });
  }, 60_000);

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('names the files of its example', () => {
    expect(files.map(([path]) => path)).toEqual([
      'src/seed-phrase/seed-phrase.provider.ts',
      'src/seed-phrase/seed-phrase.factory.ts',
      'src/seed-phrase/seed-phrase.module.ts',
      'src/seed-phrase/seed-phrase.provider.spec.ts',
    ]);
  });

  it('makes a service that signs with the new kind', async () => {
    writeFileSync(join(folder, 'config.json'), config);
    const port = await freePort();
    const child = spawn(process.execPath, ['dist/main.js'], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        HOST: '127.0.0.1',
        CONFIG_FILE: 'config.json',
        SEED_PHRASE: PHRASE,
        API_KEY: 'extending-0123456789-0123456789-0123',
      },
      stdio: 'ignore',
    });
    const url = `http://127.0.0.1:${port}`;
    const headers = { authorization: 'Bearer extending-0123456789-0123456789-0123' };
    try {
      await until('the service', () =>
        send(url, { path: '/v1/ready' }).then(
          ({ status }) => status === 200,
          () => false,
        ),
      );
      const { body } = await send(url, { path: '/api/v1/relayers', headers });
      expect(body.data).toEqual([expect.objectContaining({ id: 'treasury', address: ADDRESS })]);
      const path = '/api/v1/relayers/treasury/sign-typed-data';
      const signed = await send(url, { method: 'POST', path, headers, body: HASHES });
      expect(recoverAddress(DIGEST, `0x${String(signed.body.data.sig)}`)).toBe(ADDRESS);
    } finally {
      child.kill('SIGKILL');
    }
  }, 60_000);

  it('has a spec that passes the contract of signers', async () => {
    const jest = join(ROOT, 'node_modules/.bin/jest');
    const configFile = join(folder, 'jest.example.cjs');
    writeFileSync(
      configFile,
      `const { globalSetup, globalTeardown, setupFiles, testSequencer, ...config } = require('./jest.config.cjs'); module.exports = { ...config, rootDir: __dirname };`,
    );
    const { stderr } = await promisify(execFile)(jest, ['--config', configFile, 'src/seed-phrase'], {
      cwd: folder,
    });
    expect(stderr).toContain('PASS src/seed-phrase/seed-phrase.provider.spec.ts');
  }, 60_000);
});
