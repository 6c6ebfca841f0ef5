/** Imports run one way: health, signing, provisioning → relayers → signers, notifications → database, metrics, config, common. */
const layer = (name, from, to) => ({
  name,
  severity: 'error',
  from: { path: `^src/(${from})/`, pathNot: '\\.spec\\.ts$' },
  to: { path: `^src/(${to})/` },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^src/', pathNot: '\\.(spec|d)\\.ts$' },
      to: {},
    },
    layer(
      'common-is-the-ground',
      'common',
      'database|metrics|redis|signers|notifications|relayers|signing|health|provisioning',
    ),
    layer(
      'config-knows-common-only',
      'config',
      'database|metrics|redis|signers|notifications|relayers|signing|health|provisioning',
    ),
    layer(
      'metrics-below-modules',
      'metrics',
      'database|redis|signers|notifications|relayers|signing|health|provisioning',
    ),
    layer(
      'database-below-modules',
      'database',
      'redis|signers|notifications|relayers|signing|health|provisioning',
    ),
    layer('leaves-below-relayers', 'signers|notifications|redis', 'relayers|signing|health|provisioning'),
    layer('relayers-below-their-users', 'relayers', 'signing|health|provisioning'),
    layer('tops-stay-apart', 'signing', 'health|provisioning'),
    layer('health-stays-apart', 'health', 'signing|provisioning|relayers|signers|notifications'),
    {
      name: 'only-the-root-composes',
      severity: 'error',
      from: { path: '^src/[^/]+/' },
      to: { path: '^src/[^/]+\\.ts$', pathNot: '^src/app\\.setup\\.ts$' },
    },
    {
      name: 'ethers-where-chains-are-spoken',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(signers|signing|networks|common/validation)/' },
      to: { path: 'node_modules/ethers/' },
    },
    {
      name: 'no-development-packages-in-production',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.(spec|contract)\\.ts$' },
      // Peers are development packages too, so that they can be tested; production has them where they are wanted.
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only', 'npm-peer'],
      },
    },
    {
      name: 'optional-packages-on-demand',
      comment: 'Peers may be missing: only what needs them imports them, when it is used.',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-peer'], dependencyTypesNot: ['type-only'], dynamic: false },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default'] },
  },
};
