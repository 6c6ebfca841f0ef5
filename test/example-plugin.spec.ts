import { SeedPhraseProvider } from '../examples/plugin/src/seed-phrase/seed-phrase.provider';
import { Secret } from '../src/common/secrets/secret';
import { describeSignerProvider } from '../src/signers/signer-provider.contract';

const PHRASE = new Secret('test test test test test test test test test test test junk');

describeSignerProvider('seed_phrase', { open: () => new SeedPhraseProvider(PHRASE, 0), deterministic: true });
