// Builds dist/esm and dist/cjs: `npm run client:build`.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

rmSync(here('dist'), { recursive: true, force: true });
for (const [folder, module, type] of [
  ['esm', 'es2022', 'module'],
  ['cjs', 'commonjs', 'commonjs'],
]) {
  const output = here(`dist/${folder}`);
  execFileSync(
    process.execPath,
    [tsc, '--project', here('tsconfig.build.json'), '--module', module, '--outDir', output],
    { stdio: 'inherit' },
  );
  mkdirSync(output, { recursive: true });
  writeFileSync(here(`dist/${folder}/package.json`), `${JSON.stringify({ type })}\n`);
}
