import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ConfigurationError } from '../config/configuration-error';
import { Secret } from '../common/secrets/secret';

const VARIABLE = 'KEYSTORE_PASSPHRASE';
const MIN_LENGTH = 12;

/**
 * Reads the passphrase of a new keystore: from the variable `KEYSTORE_PASSPHRASE`; otherwise typed twice at a terminal
 * without being shown; otherwise from the first line of standard input. It is never read from the command line, which
 * other users of the machine can see.
 *
 * @throws ConfigurationError if it is missing, too short, or differs the second time
 */
export async function readPassphrase(): Promise<Secret> {
  const input = process.stdin;
  const passphrase =
    process.env[VARIABLE] ?? (input.isTTY ? await typedTwice(input) : await firstLine(input));
  if (passphrase.length < MIN_LENGTH)
    throw new ConfigurationError([`The passphrase must have at least ${MIN_LENGTH} characters`]);
  return new Secret(passphrase);
}

async function typedTwice(input: NodeJS.ReadStream): Promise<string> {
  // If the output discards everything, readline disables the terminal's echo and shows nothing.
  const nowhere = new Writable({
    write: (_chunk, _encoding, done) => done(),
  });
  const terminal = createInterface({ input, output: nowhere, terminal: true });
  try {
    const first = await ask('Passphrase: ');
    if (first !== (await ask('Once more: '))) throw new ConfigurationError(['The passphrases differ']);
    return first;
  } finally {
    terminal.close();
  }

  async function ask(prompt: string): Promise<string> {
    process.stderr.write(prompt);
    const closed = new Promise<never>((_resolve, reject) => {
      terminal.once('close', () => reject(new ConfigurationError(['No passphrase was given'])));
    });
    const line = await Promise.race([terminal.question(''), closed]);
    process.stderr.write('\n');
    return line;
  }
}

async function firstLine(input: NodeJS.ReadStream): Promise<string> {
  for await (const line of createInterface({ input })) return line;
  return '';
}
