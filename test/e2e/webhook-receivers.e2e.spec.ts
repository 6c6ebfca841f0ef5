import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describeService } from '../support/describe-service';
import { send } from '../support/http';
import { TestNotification } from '../support/notifications';
import { freePort, until } from '../support/private-servers';
import { RAW_KEY, requestOf, STANDARD_KEY, WEBHOOK_VECTORS } from '../support/webhook-vectors';

const EXAMPLES = join(__dirname, '../../examples');

/** The example receivers, with the program that runs each. */
const RECEIVERS: readonly { language: string; program: string; version: string; file: string }[] = [
  { language: 'JavaScript', program: process.execPath, version: '--version', file: 'receive-webhook.cjs' },
  { language: 'Python', program: 'python3', version: '--version', file: 'receive_webhook.py' },
  { language: 'Java', program: 'java', version: '--version', file: 'ReceiveWebhook.java' },
];

describe.each(RECEIVERS)('A receiver in $language', ({ program, version, file }) => {
  const isThere = spawnSync(program, [version]).status === 0;
  const declare = isThere || process.env.TEST_REQUIRE_SERVERS ? describe : describe.skip;

  declare(`by ${file}`, () => {
    let child: ChildProcess | undefined;
    let url: string;
    let output: string;

    const run = async (key: string): Promise<void> => {
      await end();
      const port = await freePort();
      url = `http://127.0.0.1:${port}`;
      output = '';
      // Java reads its environment in the encoding of the locale.
      const env = { PATH: process.env.PATH, LANG: 'C.UTF-8', SIGNING_KEY: key, PORT: String(port) };
      child = spawn(program, [join(EXAMPLES, file)], { env });
      child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
      await until('the receiver', async () => (await post('').catch(() => undefined)) !== undefined);
    };

    const end = async (): Promise<void> => {
      if (child?.exitCode === null && child.signalCode === null) {
        const closed = once(child, 'close');
        child.kill('SIGKILL');
        await closed;
      }
      child = undefined;
    };

    afterAll(end);

    const post = async (body: string, headers: Record<string, string> = {}): Promise<number> =>
      (await send(url, { method: 'POST', path: '/', headers, body })).status;

    it('accepts only authentic events', async () => {
      for (const key of [RAW_KEY, STANDARD_KEY]) {
        await run(key);
        for (const vector of WEBHOOK_VECTORS.filter((each) => (each.key ?? RAW_KEY) === key)) {
          const { body, headers } = requestOf(vector);
          expect([vector.what, await post(body, headers)]).toEqual([vector.what, vector.isValid ? 204 : 401]);
        }
        // Only the first of the accepted events, because the others have the same id.
        await until('the event', () => output.includes('test'));
        expect(output.trimEnd().split('\n')).toHaveLength(1);
      }
    });

    it('rejects bodies larger than any event', async () => {
      await run(RAW_KEY);
      expect(await post(' '.repeat(3 << 20)).catch(() => 413)).toBe(413);
      const { body, headers } = requestOf({ what: 'an event', isValid: true });
      expect(await post(body, headers)).toBe(204);
    });

    it('does not start without a key', async () => {
      const alone = spawn(program, [join(EXAMPLES, file)], {
        env: { PATH: process.env.PATH },
        stdio: 'ignore',
      });
      expect(await once(alone, 'close')).toEqual([1, null]);
    });

    describeService('with the service', { onlySqlite: true }, ({ service }) => {
      it('processes each event once', async () => {
        await run(STANDARD_KEY);
        const hook = await TestNotification.add(service, url, {
          signing_key: service.keepSecret(STANDARD_KEY),
        });
        const { id } = await hook.test();
        await hook.until(id, 'delivered', ({ state }) => state === 'delivered');
        await hook.post(`/deliveries/${id}/replay`);
        const again = await hook.until(id, 'delivered again', ({ attempts }) => attempts?.length === 2);
        expect(again.attempts?.map(({ status }) => status)).toEqual([204, 204]);
        await until('the event', () => output.includes('test'));
        expect(output.trimEnd().split('\n')).toHaveLength(1);
      });
    });
  });
});
