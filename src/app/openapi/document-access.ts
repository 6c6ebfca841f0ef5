import type { INestApplication } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { PUBLIC_ROUTE } from '../../access/public.decorator';
import { REQUIRED_SCOPES } from '../../access/require-scope.decorator';
import type { Scope } from '../../access/scopes';
import { operationsOf } from './operations';

/** The metadata key of `ApiOperation` of @nestjs/swagger, which the package does not export. */
const API_OPERATION = 'swagger/apiOperation';

/** The id of an operation whose decorator does not specify one: `RelayersController.list` becomes `Relayers_list`. */
export const operationIdOf = (controller: string, method: string): string =>
  `${controller.replace(/Controller$/, '')}_${method}`;

/** Who may call the routes of an operation. */
interface Access {
  isPublic: boolean;
  scopes?: readonly Scope[];
}

/**
 * Says which operations require a token, and adds their required scopes: as `x-required-scopes`, any one of which is
 * sufficient, and in the description.
 */
export function documentAccess(app: INestApplication, document: OpenAPIObject): void {
  const accesses = accessByOperation(app);
  for (const operation of operationsOf(document)) {
    const { isPublic = false, scopes } = accesses.get(operation.operationId ?? '') ?? {};
    operation.security = isPublic ? (operation.security ?? []) : [{ bearer: [] }];
    if (!scopes) continue;
    const sentence = `Requires the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
    operation.description = operation.description ? `${operation.description} ${sentence}` : sentence;
    Object.assign(operation, { 'x-required-scopes': scopes });
  }
}

function accessByOperation(app: INestApplication): Map<string, Access> {
  const reflector = app.get(Reflector);
  const scanner = new MetadataScanner();
  const found = new Map<string, Access>();
  for (const { instance, metatype } of app.get(DiscoveryService, { strict: false }).getControllers()) {
    const prototype = Object.getPrototypeOf(instance) as Record<string, () => unknown>;
    for (const name of scanner.getAllMethodNames(prototype)) {
      const handler = prototype[name] as () => unknown;
      const targets = [handler, metatype as new () => unknown];
      const documented = reflector.get<{ operationId?: string } | undefined>(API_OPERATION, handler);
      const id = documented?.operationId ?? operationIdOf((metatype as new () => unknown).name, name);
      found.set(id, {
        isPublic: reflector.getAllAndOverride<unknown>(PUBLIC_ROUTE, targets) === true,
        scopes: reflector.getAllAndOverride<Scope[] | undefined>(REQUIRED_SCOPES, targets),
      });
    }
  }
  return found;
}
