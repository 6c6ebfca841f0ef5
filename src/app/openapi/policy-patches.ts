import type { OpenAPIObject } from '@nestjs/swagger';

interface Schema {
  required?: string[];
  not?: { anyOf: object[] };
}

/** An object that has these members. */
const having = (names: string[]): object => ({
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, {}])),
});

/** A body that has policies of this schema. */
const policies = (schema: object): object => ({
  required: ['policies'],
  properties: { policies: { type: 'object', ...schema } },
});

/** A body with an object among its policies that lacks one of the members it requires. */
const member = (name: string, required: string[]): object =>
  policies({ required: [name], properties: { [name]: { type: 'object', not: having(required) } } });

/** The policies that a patch merges as objects, each with the bodies of new relayers that lack a required member of it. */
const MERGED: Readonly<Record<string, (required: string[]) => object>> = {
  TopUpPolicy: (required) => member('top_up', required),
  MessagePolicy: (required) => member('messages', required),
  StellarPolicies: (required) => ({
    properties: { network_type: { enum: ['stellar'] } },
    not: policies(having(required)),
  }),
};

/**
 * A patch may contain only a part of these objects, because the rest may be stored already. Patches and new relayers
 * share one schema, so that clients have one model; what a new relayer requires is stated as bodies that are refused.
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
