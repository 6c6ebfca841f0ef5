import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeWithAnvil } from '../support/anvil';
import { describeService } from '../support/describe-service';
import { RECEIVER } from '../support/sending-account';
import { CHAIN_ID, TestChain } from '../support/test-chain';

const ROOT = join(__dirname, '../..');

const run = promisify(execFile);

describeWithAnvil('With a chain', () => {
  describeService('the payout example', { onlySqlite: true }, ({ service }) => {
    let chain: TestChain;

    beforeAll(async () => {
      chain = await TestChain.start({ blockTime: 0.5 });
    });

    afterAll(() => chain.stop());

    it('pays each payout once', async () => {
      const env = {
        PATH: process.env.PATH,
        RELAYER_URL: service.url,
        RELAYER_API_KEY: service.config.apiKeys[0].reveal(),
        ANVIL_URL: chain.node.url,
        CHAIN_ID: String(CHAIN_ID),
      };
      const example = async (file: string, ...args: string[]) => {
        const options = { cwd: ROOT, env, timeout: 60_000 };
        return (await run(process.execPath, [join(ROOT, 'examples', file), ...args], options)).stdout;
      };
      for (let i = 0; i < 2; i += 1)
        expect(await example('anvil-relayer.mjs')).toBe(
          'Relayer payer: 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266\n',
        );
      const first = (await example('payout.mjs')).split('\n').sort();
      expect(first.map((line) => line.split(',')[0]!.replace(/\d+$/, ''))).toEqual([
        '',
        '2026-01-alice: paid',
        '2026-01-bob: paid',
        '2026-01-carol: paid',
      ]);
      expect((await example('payout.mjs')).split('\n').sort()).toEqual(first);
      const balances = await Promise.all(
        ['36', '37'].map((byte) => chain.node.rpc('eth_getBalance', [`0x${byte.repeat(20)}`, 'latest'])),
      );
      expect(balances).toEqual(['0x8e1bc9bf04000', '0xe35fa931a0000']);

      const file = join(mkdtempSync(join(tmpdir(), 'payouts-')), 'payouts.json');
      const payouts = ['2026-01-alice', '2026-01-dave'].map((id) => ({ id, to: RECEIVER, wei: '7' }));
      writeFileSync(file, JSON.stringify(payouts));
      const mixed = (await example('payout.mjs', file).catch((error: unknown) => error)) as {
        code: number;
        stdout: string;
      };
      expect(mixed.code).toBe(1);
      expect(mixed.stdout.split('\n').sort()).toEqual([
        '',
        expect.stringMatching('^2026-01-alice: not known to be paid, 409 Idempotency-Key already used'),
        expect.stringMatching(/^2026-01-dave: paid, nonce \d+, 0x/),
      ]);
    });
  });
});
