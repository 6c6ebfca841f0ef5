import type { OpenAPIObject } from '@nestjs/swagger';
import { EXAMPLES } from './examples';
import { operationsOf } from './operations';

/**
 * Adds examples of bodies: without them the page would show a body with all members, which the service would not
 * accept.
 */
export function documentExamples(document: OpenAPIObject): void {
  for (const { operationId = '', requestBody } of operationsOf(document)) {
    const examples = Object.entries(EXAMPLES[operationId] ?? {});
    if (!requestBody || !('content' in requestBody) || examples.length === 0) continue;
    Object.assign(requestBody.content['application/json'] ?? {}, {
      examples: Object.fromEntries(
        examples.map(([summary, value]) => [summary.replaceAll(/[^A-Za-z0-9]+/g, '-'), { summary, value }]),
      ),
    });
  }
}
