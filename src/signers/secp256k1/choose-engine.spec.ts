import { chooseEngine } from './choose-engine';
import { nativeEngine } from './native-engine';
import type { Secp256k1Engine } from './secp256k1-engine';
import { wasmEngine } from './wasm-engine';

const MISSING = 'No native build was found for platform=plan9\n    loaded from: /srv/app/node_modules';
const missingAddon = () => nativeEngine(() => Promise.reject(new Error(MISSING)));
const never = () => {
  throw new Error('must not be used');
};

/** An engine with some of its responses changed. */
async function wrong(change: Partial<Pick<Secp256k1Engine, 'publicKey' | 'signRecoverable' | 'recover'>>) {
  const engine = await wasmEngine();
  return {
    name: 'native' as const,
    publicKey: engine.publicKey.bind(engine),
    signRecoverable: engine.signRecoverable.bind(engine),
    recover: engine.recover.bind(engine),
    ...change,
  };
}

const withFlipped = (field: 'r' | 's' | 'v') =>
  wasmEngine().then((engine) =>
    wrong({
      signRecoverable: (digest, key) => {
        const signature = engine.signRecoverable(digest, key);
        return field === 'v'
          ? { ...signature, v: signature.v === 27 ? 28 : 27 }
          : { ...signature, [field]: '1'.padStart(64, '0') };
      },
    }),
  );

describe('chooseEngine', () => {
  it('falls back to WebAssembly if the addon is missing', async () => {
    const engine = await chooseEngine('auto', { native: missingAddon, wasm: () => wasmEngine() });
    expect(engine.name).toBe('wasm');
  });

  it('loads the first engine that works and no other', async () => {
    const native = await wrong({});
    const engine = await chooseEngine('auto', { native: () => Promise.resolve(native), wasm: never });
    expect(engine).toBe(native);
  });

  it('uses WebAssembly if configured, without loading the addon', async () => {
    expect((await chooseEngine('wasm', { native: never, wasm: () => wasmEngine() })).name).toBe('wasm');
  });

  it.each<[string, () => Promise<Secp256k1Engine>]>([
    ['public key', () => wrong({ publicKey: () => new Uint8Array(65) })],
    ['r', () => withFlipped('r')],
    ['s', () => withFlipped('s')],
    ['recovery id', () => withFlipped('v')],
    ['recovered key', () => wrong({ recover: () => new Uint8Array(65) })],
    ['exception', () => wrong({ publicKey: never })],
  ])('does not use an engine that returns a wrong %s', async (_what, native) => {
    expect((await chooseEngine('auto', { native, wasm: () => wasmEngine() })).name).toBe('wasm');
  });

  it('reports why the configured engine does not work, without file paths', async () => {
    await expect(chooseEngine('native', { native: missingAddon, wasm: never })).rejects.toMatchObject({
      name: 'ConfigurationError',
      faults: [
        'SIGNING_ENGINE finds no engine that works: native (Error: No native build was found for platform=plan9)',
      ],
    });
  });

  it('throws if no engine works', async () => {
    const wasm = () => wasmEngine(() => Promise.reject(new Error('no WebAssembly')));
    await expect(chooseEngine('auto', { native: missingAddon, wasm })).rejects.toMatchObject({
      faults: [
        'SIGNING_ENGINE finds no engine that works: native (Error: No native build was found for platform=plan9), wasm (Error: no WebAssembly)',
      ],
    });
  });
});
