import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMariaDb, describeWithMariaDb } from '../support/databases';
import { SilentProxy } from '../support/silent-proxy';
import { CommandProcess } from '../support/stored-secrets';

const RUN_COMMAND = join(__dirname, '../../dist/commands/run-command.js');
const LINES = 20_000;
const LINE = 'x'.repeat(200);

/** Runs a command whose connection stays open. @param body the body of the command */
const runHolding = (body: string) =>
  spawn(process.execPath, [
    '-e',
    `const { consoleOutput, runCommand } = require(${JSON.stringify(RUN_COMMAND)});
     require('node:net').createServer().listen(0, '127.0.0.1');
     runCommand('Test', 'Usage: test', async () => { ${body} });`,
  ]);

describe('A command that leaves a connection open', () => {
  it.each([
    ['return true;', 0],
    ['return false;', 1],
  ])('ends by itself: %s', async (body, code) => {
    const child = runHolding(body);
    expect(await once(child, 'exit')).toEqual([code, null]);
  });

  it('writes all of its output first, however slowly that is read', async () => {
    const child = runHolding(
      `for (let i = 0; i < ${LINES}; i += 1) consoleOutput.print('${LINE}'); return true;`,
    );
    // Longer than the command waits for connections to end.
    await sleep(4000);
    let length = 0;
    child.stdout.on('data', (chunk: Buffer) => (length += chunk.length));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(length).toBe(LINES * (LINE.length + 1));
  });
});

describeWithMariaDb('npm run doctor with a server that hangs after the handshake', () => {
  it('ends, and says why', async () => {
    const database = await createMariaDb();
    const proxy = await SilentProxy.create(database.url);
    const key = randomBytes(32).toString('base64');
    const command = new CommandProcess(['commands/doctor.js'], { ...database, url: proxy.url }, key);
    try {
      expect(await command.ended).toBe(1);
      expect(command.stdout).toMatch(/^problem {2}database .*PROTOCOL_SEQUENCE_TIMEOUT/m);
    } finally {
      command.child.kill('SIGKILL');
      await proxy.destroy();
      await database.drop();
    }
  });
});
