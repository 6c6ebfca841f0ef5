/** Clients of vendors: peers that are installed only where a signer of that vendor is used, and here for the tests. */
const OPTIONAL_PACKAGES =
  'node_modules/(@aws-sdk/client-kms|@azure/identity|@azure/keyvault-keys|@google-cloud/kms)/';

/** Imports run one way: health, signing, provisioning → relayers → signers, networks, notifications → queue, database, redis, metrics, outbound, config, common. */
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
      'database|metrics|outbound|redis|queue|rate-limits|signers|networks|notifications|relayers|signing|health|provisioning',
    ),
    layer(
      'config-knows-common-only',
      'config',
      'database|metrics|outbound|redis|queue|rate-limits|signers|networks|notifications|relayers|signing|health|provisioning',
    ),
    layer(
      'outbound-below-modules',
      'outbound',
      'database|metrics|redis|queue|rate-limits|signers|networks|notifications|relayers|signing|health|provisioning|stored-secrets',
    ),
    layer(
      'metrics-below-modules',
      'metrics',
      'outbound|database|redis|queue|rate-limits|signers|networks|notifications|relayers|signing|health|provisioning',
    ),
    layer(
      'database-below-modules',
      'database',
      'outbound|redis|queue|rate-limits|signers|networks|notifications|relayers|signing|health|provisioning',
    ),
    layer(
      'redis-below-its-users',
      'redis',
      'outbound|database|metrics|queue|rate-limits|signers|networks|notifications',
    ),
    layer(
      'queues-carry-ids-only',
      'queue',
      'outbound|database|rate-limits|signers|networks|notifications|relayers|signing|health|provisioning|stored-secrets',
    ),
    layer(
      'rate-limits-count-only',
      'rate-limits',
      'outbound|database|queue|signers|networks|notifications|relayers|signing|health|provisioning|stored-secrets',
    ),
    layer(
      'leaves-below-relayers',
      'signers|networks|notifications|redis',
      'relayers|signing|health|provisioning',
    ),
    layer(
      'freeze-knows-one-table',
      'freeze',
      'outbound|redis|queue|rate-limits|signers|networks|notifications|relayers|signing|health|provisioning|stored-secrets',
    ),
    layer(
      'freeze-above-the-ground',
      'common|config|outbound|metrics|database|redis|queue|rate-limits|signers|networks|notifications|stored-secrets',
      'freeze',
    ),
    layer('relayers-below-their-users', 'relayers', 'signing|health|provisioning'),
    layer(
      'stored-secrets-know-columns-only',
      'stored-secrets',
      'redis|queue|rate-limits|signers|notifications|relayers|signing|health|provisioning',
    ),
    layer('stored-secrets-below-tops', 'common|config|metrics|database|redis', 'stored-secrets'),
    layer('tops-stay-apart', 'signing', 'health|provisioning'),
    layer('health-stays-apart', 'health', 'signing|provisioning|relayers|signers|networks|notifications'),
    {
      name: 'only-the-root-composes',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '^src/commands/' },
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
