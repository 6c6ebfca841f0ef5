import { Logger } from '@nestjs/common';
import type { AppConfig } from '../../config/app-config';
import { ConfigurationError } from '../../config/configuration-error';
import { nativeEngine } from './native-engine';
import type { EngineName, Secp256k1Engine } from './secp256k1-engine';
import { selfTest } from './self-test';
import { wasmEngine } from './wasm-engine';

/** The fastest first. */
const ENGINES: readonly EngineName[] = ['native', 'wasm'];
const LOADERS: Readonly<Record<EngineName, () => Promise<Secp256k1Engine>>> = {
  native: () => nativeEngine(),
  wasm: () => wasmEngine(),
};

/**
 * The first engine that can be loaded and passes its self-test.
 *
 * @throws ConfigurationError where there is none, or the one that the operator asks for is none
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
      // What follows in the text of the loader names folders.
      const [cause = ''] = String(error).split('\n');
      logger.warn('A signing engine cannot be used', { engine: name, cause });
      refused.push(`${name} (${cause})`);
    }
  }
  throw new ConfigurationError([`SIGNING_ENGINE finds no engine that works: ${refused.join(', ')}`]);
}
