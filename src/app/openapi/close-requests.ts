import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations';

type Schema = Record<string, unknown>;

/**
 * The service refuses bodies with unknown fields, but OpenAPI allows these unless a schema forbids them. So this
 * forbids them in all schemas of requests that do not say otherwise. Schemas of responses stay open, so that clients
 * accept new fields.
 */
export function closeRequests(document: OpenAPIObject): void {
  const closed = new Set<unknown>();
  const close = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || closed.has(value)) return;
    closed.add(value);
    const { $ref, properties, additionalProperties } = value as Schema;
    if (typeof $ref === 'string')
      close(document.components?.schemas?.[$ref.replace('#/components/schemas/', '')]);
    if (properties !== undefined && additionalProperties === undefined)
      Object.assign(value, { additionalProperties: false });
    for (const [key, member] of Object.entries(value)) if (!isData(key)) close(member);
  };
  for (const { requestBody } of operationsOf(document)) close(requestBody);
}

/** `not` describes what is refused, not a body. */
const isData = (key: string): boolean => key === 'example' || key === 'examples' || key === 'not';
