const { layerRules } = require('./boundaries/rules.cjs');

/** Clients of vendors: peers that are installed only where a signer of that vendor is used, and here for the tests. */
const OPTIONAL_PACKAGES =
  'node_modules/(@aws-sdk/client-kms|@azure/identity|@azure/keyvault-keys|@google-cloud/kms)/';

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
      from: { path: '^src/', pathNot: '\\.(spec|contract)\\.ts$' },
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
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default'] },
  },
};
