import { join } from 'node:path';

/** Options of `node` with which a process of its own runs a TypeScript file: `spawn(process.execPath, [...WITH_TYPESCRIPT, file])`. */
export const WITH_TYPESCRIPT = ['--require', join(__dirname, 'typescript.cjs')];
