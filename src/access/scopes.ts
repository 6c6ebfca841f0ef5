/** What a principal may be allowed to do, with what each scope covers. */
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

export type Scope = keyof typeof SCOPE_MEANINGS;

export const SCOPES = Object.keys(SCOPE_MEANINGS) as Scope[];

/** Grants every scope, also those that a later version adds. */
export const ALL_SCOPES = '*';

/** What a principal was given: scopes, or all of them. */
export type GrantedScope = Scope | typeof ALL_SCOPES;
