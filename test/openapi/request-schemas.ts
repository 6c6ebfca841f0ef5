import { Ajv, type ValidateFunction } from 'ajv';
import { document, type Json, operations, resolved } from './document';

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, discriminator: false });
ajv.addSchema({ $id: 'openapi', components: document.components });

/** An operation with its route, such as `POST /api/v1/relayers`. */
export function operationOf(id: string): { route: string; operation: Json } {
  const found = operations.find(([, { operationId }]) => operationId === id);
  if (!found) throw new Error(`The document has no operation ${id}`);
  return { route: found[0], operation: found[1] };
}

/** Whether the document allows a body. */
export function allows(id: string, body: unknown): boolean {
  const { schema } = operationOf(id).operation.requestBody.content['application/json'] as { schema: Json };
  return compiled(id, schema)(body);
}

/** Whether the document allows a value for a query parameter; numbers are given as text. */
export function allowsParameter(id: string, name: string, value: string): boolean {
  const parameters = operationOf(id).operation.parameters as Json[];
  const { schema } = parameters.map(resolved).find((parameter) => parameter.name === name) as {
    schema: Json;
  };
  const typed = schema.type === 'integer' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return compiled(`${id} ${name}`, schema)(typed);
}

const validators = new Map<string, ValidateFunction>();

function compiled(key: string, schema: Json): ValidateFunction {
  const known = validators.get(key) ?? ajv.compile(absolute(schema) as Json);
  validators.set(key, known);
  return known;
}

function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return (value as unknown[]).map(absolute);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === '$ref' ? (member as string).replace('#/', 'openapi#/') : absolute(member),
    ]),
  );
}
