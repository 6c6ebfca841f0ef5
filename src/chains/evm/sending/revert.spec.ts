import { AbiCoder, id } from 'ethers';
import { SeededRandom } from '../../../../test/support/seeded-random';
import { revertOf } from './revert';

const abi = AbiCoder.defaultAbiCoder();
const error = (text: string): string => `0x08c379a0${abi.encode(['string'], [text]).slice(2)}`;
const panic = (code: bigint): string => `0x4e487b71${abi.encode(['uint256'], [code]).slice(2)}`;

const reasonOf = (data: unknown, message = 'execution reverted'): string | undefined =>
  revertOf({ code: 3, message, data })?.reason;

describe('revertOf', () => {
  it.each([
    ['geth', { code: 3, message: 'execution reverted: Not owner', data: error('Not owner') }],
    ['geth before its code 3', { code: -32000, message: 'execution reverted: Not owner' }],
    ['Besu', { code: -32000, message: 'Execution reverted', data: error('Not owner') }],
    ['Nethermind', { code: -32015, message: 'VM execution error.', data: `Reverted ${error('Not owner')}` }],
    ['Nethermind', { code: -32015, message: 'execution reverted', data: error('Not owner') }],
    ['anvil', { code: 3, message: 'execution reverted: Not owner', data: error('Not owner') }],
    [
      'Hardhat',
      {
        code: -32603,
        message: "Error: VM Exception while processing transaction: reverted with reason string 'Not owner'",
        data: { message: 'Error: VM Exception', txHash: '0x1', data: error('Not owner') },
      },
    ],
    [
      'Hardhat without data',
      {
        code: -32603,
        message: "Error: VM Exception while processing transaction: reverted with reason string 'Not owner'",
      },
    ],
    [
      'Ganache',
      {
        code: -32000,
        message: 'VM Exception while processing transaction: revert Not owner',
        data: { result: error('Not owner') },
      },
    ],
    ['a provider', { code: -32603, message: 'Internal error', data: `Reverted ${error('Not owner')}` }],
    ['a provider', { code: 3, message: '', data: error('Not owner') }],
    ['a provider', { code: 3, message: 'reverted', data: { originalError: { data: error('Not owner') } } }],
  ])('finds the reason in an error of %s', (_client, said) => {
    expect(revertOf(said)?.reason).toBe('Not owner');
  });

  it.each([
    [0x00n, 'Panic(0x00): generic panic of the compiler'],
    [0x01n, 'Panic(0x01): assertion failed'],
    [0x11n, 'Panic(0x11): arithmetic overflow or underflow'],
    [0x12n, 'Panic(0x12): division or modulo by zero'],
    [0x32n, 'Panic(0x32): array index out of bounds'],
    [0x99n, 'Panic(0x99)'],
    [2n ** 256n - 1n, `Panic(0x${'f'.repeat(64)})`],
  ])('describes the panic %d', (code, reason) => {
    expect(reasonOf(panic(code))).toBe(reason);
  });

  it('names the selector of a custom error', () => {
    const data = `${id('Locked(uint256)').slice(0, 10)}${'0'.repeat(64)}`;
    expect(revertOf({ code: 3, message: 'execution reverted', data })).toEqual({
      reason: `custom error ${data.slice(0, 10)}`,
      data,
    });
  });

  it.each([
    ['no data', undefined],
    ['empty data', '0x'],
    ['less than a selector', '0xabcdef'],
    ['half a byte', '0x08c379a'],
    ['no hex', '0xzz'],
    ['a number', 7],
    ['null', null],
    ['a list', [error('x')]],
    ['objects without end', { data: { data: { data: error('x') } } }],
  ])('uses only the message of the node if it returns %s', (_what, data) => {
    expect(reasonOf(data, 'execution reverted: so there')).toBe('so there');
    expect(reasonOf(data)).toBe('execution reverted');
  });

  it.each([
    ['without an offset', '0x08c379a0'],
    ['with an offset beyond the data', `0x08c379a0${'ff'.repeat(32)}`],
    ['with an offset to the end', `0x08c379a0${'00'.repeat(31)}20`],
    ['with a length beyond the data', `0x08c379a0${'00'.repeat(31)}20${'ff'.repeat(32)}41`],
    ['with half a word', `0x08c379a0${'00'.repeat(31)}20${'00'.repeat(16)}`],
    ['with an empty text', error('')],
  ])('does not decode a string %s', (_what, data) => {
    expect(reasonOf(data)).toBe('custom error 0x08c379a0');
  });

  it('does not decode a panic without a code', () => {
    expect(reasonOf('0x4e487b7100')).toBe('custom error 0x4e487b71');
  });

  it('replaces control characters, invisible characters and invalid UTF-8', () => {
    expect(reasonOf(error('a\u0000b\u001b[31mc\nd\u202ee\u200bf\u2028g'))).toBe(
      'a\ufffdb\ufffd[31mc\ufffdd\ufffde\ufffdf\ufffdg',
    );
    const notUtf8 = `0x08c379a0${'00'.repeat(31)}20${'00'.repeat(31)}03c328ff${'00'.repeat(29)}`;
    expect(reasonOf(notUtf8)).toBe('\ufffd(\ufffd');
    expect(reasonOf(undefined, 'execution reverted: \u001b[2J')).toBe('\ufffd[2J');
  });

  it('returns the data only if it is complete: up to 65,536 hex digits', () => {
    const dataOf = (digits: number) =>
      revertOf({ code: 3, message: 'execution reverted', data: `0x${'a'.repeat(digits)}` })?.data;
    expect(dataOf(65_536)).toHaveLength(2 + 65_536);
    expect(dataOf(65_538) === null).toBe(true);
  });

  it('limits the reason to 1024 characters, none cut in half', () => {
    const revert = revertOf({ code: 3, message: 'execution reverted', data: error('é'.repeat(50_000)) })!;
    expect(revert.reason).toBe('é'.repeat(1024));
    expect(reasonOf(error(`x${'😀'.repeat(5000)}`))).toBe(`x${'😀'.repeat(511)}`);
    expect(reasonOf(undefined, `execution reverted: ${'x'.repeat(1_000_000)}`)).toHaveLength(1024);
    expect(reasonOf(`0x${'ab'.repeat(1_000_000)}`)).toBe('custom error 0xabababab');
  });

  it.each([
    ['geth', -32000, 'invalid opcode: INVALID'],
    ['geth', -32000, 'max code size exceeded'],
    ['geth', -32000, 'max code size exceeded: code size 30000 limit 24576'],
    ['geth', -32000, 'invalid code: must not begin with 0xef'],
    ['geth', -32000, 'contract address collision'],
    ['geth', -32000, 'return data out of bounds'],
    ['geth', -32000, 'stack limit reached 1024 (1023)'],
    ['Nethermind', -32015, 'Transaction execution fails'],
    ['geth', -32000, 'invalid jump destination'],
    ['Nethermind', -32015, 'VM execution error.'],
    ['anvil', -32003, 'EVM error InvalidFEOpcode'],
  ])('treats a halt of the EVM as a revert: %s %d %j', (_client, code, message) => {
    expect(revertOf({ code, message })).toEqual({ reason: message, data: '0x' });
  });

  it.each([
    ['geth', -32000, 'insufficient funds for transfer', undefined],
    ['geth', -32000, 'gas required exceeds allowance (21000)', undefined],
    ['geth', -32000, 'header not found', undefined],
    ['zkSync', 3, 'insufficient funds for gas + value. balance: 0, fee: 1, value: 0', '0x'],
    ['zkSync', 3, 'failed to validate the transaction. reason: Validation revert: no balance', '0x'],
    ['Nethermind', -32000, 'err: insufficient balance', 'Nothing 0x08c379a0'],
    ['a provider', -32603, 'Internal error', error('not of a contract')],
    ['a provider', 0, '', undefined],
  ])('does not treat %s %d %j as a revert', (_client, code, message, data) => {
    expect(revertOf({ code, message, data })).toBeUndefined();
  });

  it('keeps within its limits whatever a node returns', () => {
    const random = new SeededRandom('reverts');
    for (let i = 0; i < 3000; i += 1) {
      const selector = ['0x08c379a0', '0x4e487b71', '0x', 'Reverted 0x'][random.below(4)]!;
      const words = random.list(6, () =>
        random
          .bigint(random.below(3) * 128)
          .toString(16)
          .padStart(64, '0'),
      );
      const data = selector + words.join('') + random.bytes(random.below(3000)).toString('hex');
      const given = [data, { data }, { result: data }, random.bytes(20).toString('latin1')][random.below(4)];
      const message = ['execution reverted', 'revert', random.bytes(50).toString('latin1')][random.below(3)]!;
      const revert = revertOf({ code: 3, message, data: given });
      if (!revert) continue;
      expect(revert.reason.length).toBeGreaterThan(0);
      expect(revert.reason.length).toBeLessThanOrEqual(1024);
      // eslint-disable-next-line no-control-regex -- this is what it tests for
      expect(revert.reason).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      expect(revert.data).toMatch(/^0x[0-9a-f]*$/);
    }
  });
});
