import type { INestApplication } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { REQUIRED_SCOPES } from '../../access/require-scope.decorator';
import type { Scope } from '../../access/scopes';
import { operationsOf } from './operations';

/** The metadata key of `ApiOperation` of @nestjs/swagger, which the package does not export. */
const API_OPERATION = 'swagger/apiOperation';

/** The id of an operation whose decorator does not specify one: `RelayersController.list` becomes `Relayers_list`. */
export const operationIdOf = (controller: string, method: string): string =>
  `${controller.replace(/Controller$/, '')}_${method}`;

/**
 * Adds the required scopes to the operations of routes: as `x-required-scopes`, any one of which is sufficient, and in
 * the description.
 */
export function documentScopes(app: INestApplication, document: OpenAPIObject): void {
  const scopes = scopesByOperation(app);
  for (const operation of operationsOf(document)) {
    const required = scopes.get(operation.operationId ?? '');
    if (!required) continue;
    const sentence = `Requires the scope ${required.map((scope) => `\`${scope}\``).join(' or ')}.`;
    operation.description = operation.description ? `${operation.description} ${sentence}` : sentence;
    Object.assign(operation, { 'x-required-scopes': required });
  }
}

function scopesByOperation(app: INestApplication): Map<string, readonly Scope[]> {
  const reflector = app.get(Reflector);
  const scanner = new MetadataScanner();
  const found = new Map<string, readonly Scope[]>();
  for (const { instance, metatype } of app.get(DiscoveryService, { strict: false }).getControllers()) {
    const prototype = Object.getPrototypeOf(instance) as Record<string, () => unknown>;
    for (const name of scanner.getAllMethodNames(prototype)) {
      const handler = prototype[name] as () => unknown;
      const scopes = reflector.getAllAndOverride<Scope[] | undefined>(REQUIRED_SCOPES, [
        handler,
        metatype as new () => unknown,
      ]);
      const documented = reflector.get<{ operationId?: string } | undefined>(API_OPERATION, handler);
      const id = documented?.operationId ?? operationIdOf((metatype as new () => unknown).name, name);
      if (scopes) found.set(id, scopes);
    }
  }
  return found;
}
