const { useMemory } = require('./test/support/memory-folder.cjs');

useMemory();

const compile = (parser, transform) => [
  '@swc/jest',
  {
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
    swcrc: false,
    jsc: { target: 'es2022', keepClassNames: true, parser, transform },
  },
];

module.exports = {
  testEnvironment: 'node',
  testRegex: '(src|test)/.*\\.spec\\.ts$',
  // A limit for tests that hang, on a machine that is much slower than usual.
  testTimeout: 180_000,
  // For two cores: half of the time, a worker waits for blocks, timers and processes of its tests.
  maxWorkers: 4,
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  // A worker keeps the modules of all suites that it has run.
  workerIdleMemoryLimit: '1GB',
  // Freeing that memory takes longer than jest's half a second on a busy machine.
  workerGracefulExitTimeout: 10_000,
  globalSetup: '<rootDir>/test/support/servers.setup.ts',
  globalTeardown: '<rootDir>/test/support/servers.teardown.ts',
  setupFiles: ['<rootDir>/test/support/quiet-logger.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/build/', '<rootDir>/client/dist/'],
  moduleNameMapper: { '^relayer-management-service$': '<rootDir>/src/public.ts' },
  transform: {
    '^.+\\.ts$': compile(
      { syntax: 'typescript', decorators: true },
      { legacyDecorator: true, decoratorMetadata: true },
    ),
    // Nest's packages are pure ESM: compiled to CommonJS, tests and production run the same module kind.
    'node_modules/@nestjs/.+\\.js$': compile({ syntax: 'ecmascript' }),
    // It imports modules of Node with import(), which jest has in modules that are compiled only.
    'node_modules/@opentelemetry/otlp-exporter-base/.+\\.js$': compile({ syntax: 'ecmascript' }),
  },
  transformIgnorePatterns: ['node_modules/(?!@nestjs/|@opentelemetry/otlp-exporter-base/)'],
};
