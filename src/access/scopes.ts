/** All scopes of the service, with a description of what each allows. */
export const SCOPE_MEANINGS = {
  'relayers:read': 'list and show relayers, their status and balance',
  'relayers:write': 'create, change and delete relayers',
  'relayers:pause': 'pause and resume relayers, without other changes',
  'sign:typed-data': 'sign EIP-712 typed data',
  'sign:messages': 'sign EIP-191 messages',
  'sign:transactions': 'sign transactions without sending them',
  'transactions:read': 'list and show transactions and their attempts',
  'transactions:write': 'send, replace and cancel transactions',
  rpc: 'call JSON-RPC methods through a relayer',
  'notifications:read': 'list and show notifications and their deliveries',
  'notifications:write': 'create, change, delete and test notifications, and replay deliveries',
  'signers:read': 'list and show signers',
  'signers:write': 'create and delete signers',
  'networks:read': 'list and show networks',
  'networks:write': 'create, change and delete networks',
  'api-keys:manage': 'list, create, change, rotate and revoke API keys',
  'audit:read': 'list and export audit events',
  freeze: 'show, start and end the freeze of all signing',
  approve: 'show, approve and reject pending changes',
  'metrics:read': 'list and show metrics',
} as const;

type OwnScope = keyof typeof SCOPE_MEANINGS;

/**
 * A scope of a plugin, `<plugin>.<what>:<right>`, for example `acme-ledger.entries:read`. The service's own scopes
 * contain no dot.
 */
export type PluginScope = `${string}.${string}`;

export type Scope = OwnScope | PluginScope;

/** The service's own scopes. */
export const SCOPES = Object.keys(SCOPE_MEANINGS) as OwnScope[];

/** Grants every scope, including those that a later version adds. */
export const ALL_SCOPES = '*';

/** A scope that a principal was granted, or all of them. */
export type GrantedScope = Scope | typeof ALL_SCOPES;

/**
 * The scopes of the plugins in this process. Global, because decorators of DTOs need them and cannot access providers.
 */
const pluginScopes = new Set<PluginScope>();

/** Must be called before the application is created. */
export function registerScopes(scopes: readonly PluginScope[]): void {
  for (const scope of scopes) pluginScopes.add(scope);
}

/** Everything that an API key may be granted, including the scopes of plugins. */
export const grantableScopes = (): GrantedScope[] => [...SCOPES, ...pluginScopes, ALL_SCOPES];
