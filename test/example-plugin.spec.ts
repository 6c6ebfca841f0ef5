import { SeedPhraseFactory } from '../examples/plugin/src/seed-phrase/seed-phrase.factory';
import { SeedPhraseProvider } from '../examples/plugin/src/seed-phrase/seed-phrase.provider';
import { Secret } from '../src/common/secrets/secret';
import type { SignerSources } from '../src/signers/signer-provider';
import { describeSignerProvider } from './support/suites/signer-provider';

const PHRASE = new Secret('test test test test test test test test test test test junk');

describeSignerProvider('seed_phrase', { open: () => new SeedPhraseProvider(PHRASE, 0), deterministic: true });

describe('SeedPhraseFactory', () => {
  const sources = { secret: () => PHRASE } as unknown as SignerSources;
  const prepared = (index: number, others = {}) =>
    Promise.resolve().then(() => new SeedPhraseFactory().prepare({ index, ...others }, sources));

  it.each([0, 2 ** 31 - 1])('takes an index that BIP-32 can derive: %j', async (index) => {
    const { settings } = await prepared(index);
    const provider = new SeedPhraseProvider(PHRASE, Number(settings.index));
    await provider.init();
    expect(settings).toEqual({ index });
  });

  it.each([-1, 1.5, 2 ** 31, 2 ** 32])('refuses any other before it is stored: %j', async (index) => {
    await expect(prepared(index)).rejects.toHaveProperty(
      'detail',
      'config.index must be an integer from 0 to 2147483647',
    );
  });

  it('refuses members that it does not know, because a misspelt one would select another account', async () => {
    await expect(prepared(3, { phrase: 'test', indx: 3, hd: 1 })).rejects.toHaveProperty(
      'detail',
      'config has the unknown members indx, hd',
    );
  });
});
