import { Logger } from '@nestjs/common';
import type { AppConfig } from '../../config/app-config';
import { ConfigurationError } from '../../config/configuration-error';
import { nativeEngine } from './native-engine';
import type { EngineName, Secp256k1Engine } from './secp256k1-engine';
import { selfTest } from './self-test';
import { wasmEngine } from './wasm-engine';

/** From fastest to slowest. */
const ENGINES: readonly EngineName[] = ['native', 'wasm'];
const LOADERS: Readonly<Record<EngineName, () => Promise<Secp256k1Engine>>> = {
  native: () => nativeEngine(),
  wasm: () => wasmEngine(),
};

/**
 * Loads the first engine that passes its self-test.
 *
 * @throws ConfigurationError if there is none, or the configured one does not work
 */
export async function chooseEngine(
  choice: AppConfig['signingEngine'],
  load = LOADERS,
): Promise<Secp256k1Engine> {
  const logger = new Logger('SigningEngine');
  const refused: string[] = [];
  for (const name of choice === 'auto' ? ENGINES : [choice]) {
    try {
      const engine = await load[name]();
      selfTest(engine);
      return engine;
    } catch (error) {
      // Further lines of the loader's error contain paths.
      const [cause = ''] = String(error).split('\n');
      logger.warn('A signing engine cannot be used', { engine: name, cause });
      refused.push(`${name} (${cause})`);
    }
  }
  throw new ConfigurationError([`SIGNING_ENGINE finds no engine that works: ${refused.join(', ')}`]);
}
