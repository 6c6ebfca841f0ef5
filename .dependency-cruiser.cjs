const { layerRules } = require('./boundaries/rules.cjs');

/** Peers that are installed only where a vendor's signers or a collector of OpenTelemetry are used, and here for the tests. */
const OPTIONAL_PACKAGES =
  'node_modules/(@aws-sdk/client-kms|@azure/identity|@azure/keyvault-keys|@google-cloud/kms|@opentelemetry/[a-z-]+)/';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: '\\.(spec|d)\\.ts$' },
      to: {},
    },
    ...layerRules,
    {
      name: 'ethers-where-chains-are-spoken',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(chains|signers)/|\\.spec\\.ts$' },
      to: { path: 'node_modules/ethers/' },
    },
    {
      name: 'no-development-packages-in-production',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
        pathNot: OPTIONAL_PACKAGES,
      },
    },
    {
      name: 'optional-packages-on-demand',
      severity: 'error',
      comment:
        'The service must start without them: only types are imported, the rest by import() when it is needed.',
      from: { path: '^src/' },
      to: { path: OPTIONAL_PACKAGES, dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'client-stands-alone',
      severity: 'error',
      comment:
        'The client is a package without dependencies; viem and ethers are optional, each behind an entry of its own.',
      from: { path: '^client/src/', pathNot: '\\.spec\\.ts$|/(viem|ethers)[^/]*$' },
      to: { pathNot: '^client/src/(?!(viem|ethers))' },
    },
    {
      name: 'client-accounts-use-one-library',
      severity: 'error',
      from: { path: '^client/src/(viem|ethers)', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: '^client/src/|^node_modules/$1/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default'] },
  },
};
