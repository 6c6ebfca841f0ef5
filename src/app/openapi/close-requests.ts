import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations';

type Schema = Record<string, unknown>;

/**
 * Bodies with fields that nobody knows are refused, and OpenAPI allows them wherever a schema does not say otherwise. Schemas
 * that say so themselves stay as they are, and those of responses stay open, so that clients go on when there are new fields.
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

/** `not` says what is refused: it is no description of a body. */
const isData = (key: string): boolean => key === 'example' || key === 'examples' || key === 'not';
