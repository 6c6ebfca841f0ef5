/** The groups of operations, in the order in which the page shows them. */
export const TAGS: readonly (readonly [name: string, description: string])[] = [
  [
    'Relayers',
    'Accounts that this service holds: a network, a signing key, policies, RPC endpoints and a webhook.',
  ],
  [
    'Signing',
    'Signatures of typed data (EIP-712), messages (EIP-191) and transactions, and the switch that stops them.',
  ],
  ['Transactions', 'Sending: each accepted transaction is mined exactly once, or ends with a reason.'],
  ['Signers', 'Who holds the keys: this service, or a key service. A signer is never changed.'],
  ['Networks', 'The chains that relayers are on. The main EVM networks are built in.'],
  ['Notifications', 'Webhooks that receive events, and their deliveries.'],
  ['API keys', 'A key for each client, with the scopes and relayers that it needs.'],
  ['Changes', 'Changes that wait until other keys approve them.'],
  ['Audit log', 'Every signature, transaction and change, tamper-evident.'],
  ['Health', 'Probes for load balancers and Kubernetes. They need no token.'],
  ['Metrics', 'Metrics for Prometheus. They need no token.'],
];
