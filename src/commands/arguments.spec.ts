import { ConfigurationError } from '../config/configuration-error';
import { readArguments } from './arguments';

const USAGE = 'Usage: npm run x';
const OPTIONS = { name: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } } as const;

const read = (...args: string[]) => readArguments(USAGE, { args, options: OPTIONS, allowPositionals: true });

describe('readArguments', () => {
  it('returns options and arguments', () => {
    const { values, positionals } = read('folder', '--name', 'x', '--dry-run', '--', '--y');
    expect({ values: { ...values }, positionals }).toEqual({
      values: { name: 'x', 'dry-run': true },
      positionals: ['folder', '--y'],
    });
  });

  it.each([
    [['--dryrun'], ['Unknown option --dryrun']],
    [
      ['--passphrase=s3cret', '-n'],
      ['Unknown option --passphrase', 'Unknown option -n'],
    ],
    [['--toString'], ['Unknown option --toString']],
    [['--name', 'a', '--name', 'b'], ['--name is given twice']],
    [['--name'], ['--name needs a value']],
    [['--name', '--dry-run'], []],
    [['--dry-run=yes'], ['--dry-run has no value']],
  ])('says what is wrong with %j', (args, faults) => {
    const error: unknown = (() => {
      try {
        return read(...args);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as ConfigurationError).faults).toEqual([...faults, USAGE]);
  });
});
