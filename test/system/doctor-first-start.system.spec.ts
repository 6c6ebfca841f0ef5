import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STORED_CONTENT } from '../../src/app/stored-content';
import { examine } from '../../src/doctor/examination';
import { createSqlite } from '../support/databases';

const KEY = randomBytes(32).toString('base64');

describe('npm run doctor before the first start', () => {
  it('finds what the configuration file names and is not there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
    try {
      const relayer = { id: 'a', name: 'A', network: 'sepolia', network_type: 'evm', paused: false };
      const CONFIG_FILE = join(folder, 'config.json');
      writeFileSync(CONFIG_FILE, JSON.stringify({ relayers: [{ ...relayer, signer_id: 'lost' }] }));
      const DATABASE_URL = `sqlite:${folder}/relayer.sqlite`;
      const keys = { API_KEY: 'x'.repeat(32), STORAGE_ENCRYPTION_KEY: KEY };
      expect(await examine({ ...keys, DATABASE_URL, CONFIG_FILE }, STORED_CONTENT)).toContainEqual(
        expect.objectContaining({
          status: 'problem',
          detail: 'CONFIG_FILE relayers[0]: signer_id lost is not configured',
        }),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('creates nothing, and explains an invalid configuration file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
    const database = await createSqlite();
    try {
      const file = join(folder, 'config.json');
      writeFileSync(file, '{"relayers": {}}');
      const found = await examine(
        {
          API_KEY: 'x'.repeat(32),
          STORAGE_ENCRYPTION_KEY: KEY,
          DATABASE_URL: `sqlite:${folder}/none/relayer.sqlite`,
          CONFIG_FILE: file,
        },
        STORED_CONTENT,
      );
      expect(found).toContainEqual({
        check: 'configuration file',
        status: 'problem',
        detail: expect.stringContaining('relayers'),
        advice: expect.stringContaining('configuring.md'),
      });
      expect(found).toContainEqual(
        expect.objectContaining({
          check: 'database',
          status: 'ok',
          detail: expect.stringContaining('creates'),
        }),
      );
      expect(() => {
        rmSync(join(folder, 'none'));
      }).toThrow('ENOENT');
    } finally {
      rmSync(folder, { recursive: true });
      await database.drop();
    }
  });
});
