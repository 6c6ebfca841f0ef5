import type { OpenAPIObject } from '@nestjs/swagger';

interface Schema {
  required?: string[];
  not?: { anyOf: object[] };
}

/** An object with these members. */
const having = (names: string[]): object => ({
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, {}])),
});

/** A body with policies that match this schema. */
const policies = (schema: object): object => ({
  required: ['policies'],
  properties: { policies: { type: 'object', ...schema } },
});

/** A body whose policies contain an object that lacks one of its required members. */
const member = (name: string, required: string[]): object =>
  policies({ required: [name], properties: { [name]: { type: 'object', not: having(required) } } });

/**
 * The policies that a patch merges as objects, each with a description of bodies for new relayers that lack a required
 * member.
 */
const MERGED: Readonly<Record<string, (required: string[]) => object>> = {
  TopUpPolicy: (required) => member('top_up', required),
  MessagePolicy: (required) => member('messages', required),
  StellarPolicies: (required) => ({
    properties: { network_type: { enum: ['stellar'] } },
    not: policies(having(required)),
  }),
};

/**
 * A patch may contain only some members of these objects, because the others may already be stored. Patches and new
 * relayers share a schema, so that clients have a single model. The requirements for new relayers are therefore stated
 * as bodies that are refused.
 */
export function documentPolicyPatches({ components }: OpenAPIObject): void {
  const schemas = components?.schemas as Record<string, Schema> | undefined;
  for (const [name, bodyWithout] of Object.entries(MERGED)) {
    const schema = schemas?.[name];
    if (!schema?.required) continue;
    schemas?.CreateRelayerDto?.not?.anyOf.push(bodyWithout(schema.required));
    delete schema.required;
  }
}
