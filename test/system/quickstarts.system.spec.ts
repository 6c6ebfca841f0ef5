import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AbiCoder, concat, keccak256, ZeroAddress } from 'ethers';
import { clientOf } from '../support/client';
import { describeService } from '../support/describe-service';

const ROOT = join(__dirname, '../..');
const HEX = '0x[0-9a-f]+';
/** The service as `npm start` starts it: with the relayer `demo`. */
const SETTINGS = { CONFIG_FILE: '', NODE_ENV: 'development' };

const run = promisify(execFile);

/** The result of `getTransactionHash` of a Safe for the example, from the two type hashes in its contract. */
function safeTransactionHash(): string {
  const hash = (types: string[], values: unknown[]): string =>
    keccak256(AbiCoder.defaultAbiCoder().encode(types, values));
  const domain = hash(
    ['bytes32', 'uint256', 'address'],
    [
      '0x47e79534a245952e8b16893a336b85a3d9ea9fa8c573f3d803afb92a79469218',
      ...[1337, '0x41675C099F32341bf84BFc5382aF534df5C7461a'],
    ],
  );
  const [to, none] = [`0x${'35'.repeat(20)}`, ZeroAddress];
  const transaction = hash(
    [
      ...['bytes32', 'address', 'uint256', 'bytes32', 'uint8', 'uint256', 'uint256', 'uint256'],
      ...['address', 'address', 'uint256'],
    ],
    [
      '0xbb8310d486368db6bd6f849402fdd73ad53d316b5a4b2644ad6efe0f941286d8',
      ...[to, 10n ** 17n, keccak256('0x'), 0, 0, 0, 0, none, none, 0],
    ],
  );
  return keccak256(concat(['0x1901', domain, transaction]));
}

describeService('The quickstart', { settings: SETTINGS, onlySqlite: true }, ({ service }) => {
  let address: string;

  beforeAll(async () => {
    ({ address } = await clientOf(service).relayer('demo').get());
  });

  const example = async (file: string): Promise<string> => {
    const env = {
      PATH: process.env.PATH,
      RELAYER_URL: service.url,
      RELAYER_API_KEY: service.config.apiKeys[0].reveal(),
    };
    const options = { cwd: ROOT, env, timeout: 30_000 };
    return (await run(process.execPath, [join('examples', file)], options)).stdout;
  };

  it('Permit prints the arguments of permit()', async () => {
    expect(await example('permit.mjs')).toMatch(
      new RegExp(
        `^${address} permits 0x000000000022D473030F116dDEE9F6B43aC78BA3 to spend 250.0\n` +
          `permit\\(${address}, 0x000000000022D473030F116dDEE9F6B43aC78BA3, 250000000, \\d{10}, 2[78], ${HEX}, ${HEX}\\)\n$`,
      ),
    );
  });

  it('Safe owner confirms the hash of a transaction', async () => {
    expect(await example('safe-owner.mjs')).toMatch(
      new RegExp(`^${address} confirms ${safeTransactionHash()}\nsignature 0x[0-9a-f]{128}1[bc]\n$`),
    );
  });

  // Runs last, because the relayer signs only orders afterwards.
  it('Gasless order signs orders up to the limit, and not below the price', async () => {
    expect(await example('gasless-order.mjs')).toMatch(
      new RegExp(
        `^Order of ${address}, .* signature 0x[0-9a-f]{130}\nAbove the limit: .*sellAmount.*\nBelow the price: .*buyAmount.*\n$`,
      ),
    );
    await expect(clientOf(service).relayer('demo').signMessage('x')).rejects.toThrow('Message not allowed');
  });
});

describe('The pages of the quickstarts', () => {
  const pages = readdirSync(join(ROOT, 'docs/quickstarts')).map((file) => join('docs/quickstarts', file));

  it('name every example', () => {
    const text = pages.map((page) => readFileSync(join(ROOT, page), 'utf8')).join('');
    const examples = readdirSync(join(ROOT, 'examples')).filter(
      (file) => !file.startsWith('verify-') && file !== 'plugin',
    );
    expect(examples.filter((file) => !text.includes(`examples/${file}`))).toEqual([]);
  });
});
