import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, MODULE_PATH, PATH_METADATA } from '@nestjs/common/constants.js';
import type { ModulesContainer } from '@nestjs/core';
import { handlersOf, type Module, partition } from './added-modules';

interface Route {
  method: RequestMethod;
  /** The parts of its path, such as `relayers` and `:relayer_id`. */
  parts: string[];
}

/** The OpenAPI pages and the redirect to them, which are not routes of Nest. */
const PAGES: readonly Route[] = [[], ['api-docs'], ['api-docs', ':file']].map((parts) => ({
  method: RequestMethod.GET,
  parts,
}));

/**
 * A fault for each route of an added module that is never called, because a route of the service or of another added
 * module matches all its requests: Express calls the first that matches, those of the service come first.
 */
export function shadowedRouteFaults(modules: ModulesContainer): string[] {
  const { service, added } = partition(modules);
  const routesOf = (module: Module): Route[] => routesIn(module, modules.applicationId);
  const own = [...PAGES, ...service.flatMap(routesOf)];
  const earlier: Route[] = [];
  const faults: string[] = [];
  for (const module of added) {
    // Handlers of one module may pass requests on to each other.
    const routes = routesOf(module);
    for (const route of routes) {
      const ofService = own.find((each) => covers(each, route));
      const first = ofService ?? earlier.find((each) => covers(each, route));
      const owner = ofService ? 'the service' : 'another module';
      if (first)
        faults.push(`The route ${nameOf(route)} is never called, because ${owner} has ${nameOf(first)}`);
    }
    earlier.push(...routes);
  }
  return faults;
}

function routesIn(module: Module, applicationId: string): Route[] {
  const base = pathsAt(module.metatype, `${MODULE_PATH}${applicationId}`);
  return handlersOf(module).flatMap(({ controller, handler }) => {
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
    const prefixes = pathsAt(controller, PATH_METADATA);
    const ends = pathsAt(handler, PATH_METADATA);
    return base
      .flatMap((first) => prefixes.flatMap((prefix) => ends.map((last) => `${first}/${prefix}/${last}`)))
      .map((path) => ({ method, parts: path.split('/').filter((part) => part !== '') }));
  });
}

/** A part that matches any other. */
const PARAMETER = /^:[A-Za-z0-9_]+$/;

/** The paths in the metadata of a module, a controller or a handler. */
const pathsAt = (target: object, key: string): string[] =>
  [(Reflect.getMetadata(key, target) as string | string[] | undefined) ?? ''].flat();

/** Whether an earlier route matches every request for another one. One with wildcards is taken not to. */
const covers = (earlier: Route, other: Route): boolean =>
  earlier.method === other.method &&
  earlier.parts.length === other.parts.length &&
  earlier.parts.every((part, i) => {
    const opposite = other.parts[i] ?? '';
    if (PARAMETER.test(part)) return !/[*{]/.test(opposite);
    return !/[:*{]/.test(part) && part.toLowerCase() === opposite.toLowerCase();
  });

const nameOf = ({ method, parts }: Route): string => `${RequestMethod[method]} /${parts.join('/')}`;
