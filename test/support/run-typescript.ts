import { join } from 'node:path';

/**
 * Options with which `node` runs a TypeScript file in a separate process: `spawn(process.execPath, [...WITH_TYPESCRIPT,
 * file])`.
 */
export const WITH_TYPESCRIPT = ['--require', join(__dirname, 'typescript.cjs')];
