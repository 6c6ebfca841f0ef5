/**
 * Enables plain Node to load TypeScript: `node --require ./test/support/typescript.cjs file.ts`. It compiles files as
 * the tests do, without checking types; `npm run typecheck` does that.
 */
const { readFileSync } = require('node:fs');
const { _extensions: extensions } = require('node:module');
const { transformSync } = require('@swc/core');

const OPTIONS = {
  swcrc: false,
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
};

extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), { ...OPTIONS, filename });
  module._compile(code, filename);
};
