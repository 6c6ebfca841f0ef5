import { type FactoryProvider, Logger } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../../config/app-config';
import { SignerMetrics } from '../signer.metrics';
import { useWasmKeccak } from '../../chains/evm/wasm-keccak';
import { chooseEngine } from './choose-engine';
import { Secp256k1Engine } from './secp256k1-engine';

/** The engine for all keys in this process, chosen once, together with the hash function. */
export const signingEngineProvider: FactoryProvider<Secp256k1Engine> = {
  provide: Secp256k1Engine,
  inject: [ConfigService, SignerMetrics],
  useFactory: async (config: ConfigService<AppConfig, true>, metrics: SignerMetrics) => {
    const engine = await chooseEngine(config.get('signingEngine', { infer: true }));
    const keccak = (await useWasmKeccak()) ? 'wasm' : 'javascript';
    metrics.showEngine(engine.name);
    new Logger('SigningEngine').log('Signing engine', { engine: engine.name, keccak });
    return engine;
  },
};
