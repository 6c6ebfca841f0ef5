import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations';

type Schema = Record<string, unknown>;

/**
 * Forbids unknown fields in all request schemas that do not explicitly allow them: the service refuses such bodies, but
 * OpenAPI allows unknown fields unless a schema forbids them. Response schemas stay open, so that clients accept new
 * fields. So does a class of a plugin whose fields lack `@ApiProperty()`: what it accepts is not known.
 */
export function closeRequests(document: OpenAPIObject): void {
  const closed = new Set<unknown>();
  const close = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || closed.has(value)) return;
    closed.add(value);
    const { $ref, properties, additionalProperties } = value as Schema;
    if (typeof $ref === 'string')
      close(document.components?.schemas?.[$ref.replace('#/components/schemas/', '')]);
    if (hasMembers(properties) && additionalProperties === undefined)
      Object.assign(value, { additionalProperties: false });
    for (const [key, member] of Object.entries(value)) if (!isData(key)) close(member);
  };
  for (const { requestBody } of operationsOf(document)) close(requestBody);
}

const hasMembers = (properties: unknown): boolean =>
  typeof properties === 'object' && properties !== null && Object.keys(properties).length > 0;

/** `not` describes refused bodies, so its content is not closed either. */
const isData = (key: string): boolean => key === 'example' || key === 'examples' || key === 'not';
