import type { OpenAPIObject } from '@nestjs/swagger';

const ofType = (...types: string[]) => ({ network_type: { enum: types } });
const isGiven = (...names: string[]) =>
  names.map((name) => ({ required: [name], properties: { [name]: { not: { enum: [null] } } } }));
const policies = (name: string) => ({
  policies: { anyOf: [{ $ref: `#/components/schemas/${name}` }, { enum: [null] }] },
});

/**
 * Rules for bodies that depend on the network type. They are stated as bodies that are refused, because generated
 * clients ignore `not` and need no model for it.
 */
const REFUSED: Readonly<Record<string, object[]>> = {
  CreateRelayerDto: [
    { properties: ofType('evm'), not: { properties: policies('EvmPolicies') } },
    { properties: ofType('solana'), not: { properties: policies('SolanaPolicies') } },
    { properties: ofType('stellar'), not: { properties: policies('StellarPolicies') } },
  ],
  CreateNetworkDto: [
    { properties: ofType('evm'), not: { allOf: isGiven('chain_id') } },
    {
      properties: ofType('solana', 'stellar'),
      anyOf: isGiven('chain_id', 'rpc_methods', 'private_rpc_urls', 'private_fallback_blocks', 'fees'),
    },
    { properties: ofType('evm', 'solana'), anyOf: isGiven('passphrase', 'horizon_url') },
  ],
};

/** Adds the rules that depend on the network type to bodies. */
export function documentRulesByNetworkType(document: OpenAPIObject): void {
  for (const [name, anyOf] of Object.entries(REFUSED)) {
    const schema = document.components?.schemas?.[name];
    if (schema) Object.assign(schema, { not: { anyOf } });
  }
}
