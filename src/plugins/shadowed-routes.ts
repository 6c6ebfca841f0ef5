import { Injectable, type OnModuleInit, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, MODULE_PATH, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { ConfigurationError } from '../config/configuration-error';
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
 * Refuses to start with a route of an added module that is never called, because a route of the service or of another
 * added module matches all its requests: Express calls the first that matches, those of the service come first.
 */
@Injectable()
export class ShadowedRoutes implements OnModuleInit {
  private readonly scanner = new MetadataScanner();

  constructor(private readonly modules: ModulesContainer) {}

  /** @throws ConfigurationError with a sentence for each route */
  onModuleInit(): void {
    const { service, added } = partition(this.modules);
    const own = [...PAGES, ...service.flatMap((module) => this.routesOf(module))];
    const earlier: Route[] = [];
    const faults: string[] = [];
    for (const module of added) {
      // Handlers of one module may pass requests on to each other.
      const routes = this.routesOf(module);
      for (const route of routes) {
        const ofService = own.find((each) => covers(each, route));
        const first = ofService ?? earlier.find((each) => covers(each, route));
        const owner = ofService ? 'the service' : 'another module';
        if (first)
          faults.push(`The route ${nameOf(route)} is never called, because ${owner} has ${nameOf(first)}`);
      }
      earlier.push(...routes);
    }
    if (faults.length > 0) throw new ConfigurationError(faults);
  }

  private routesOf(module: Module): Route[] {
    const base = pathsAt(module.metatype, `${MODULE_PATH}${this.modules.applicationId}`);
    return handlersOf(module, this.scanner).flatMap(({ controller, handler }) => {
      const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
      const prefixes = pathsAt(controller, PATH_METADATA);
      const ends = pathsAt(handler, PATH_METADATA);
      return base
        .flatMap((first) => prefixes.flatMap((prefix) => ends.map((last) => `${first}/${prefix}/${last}`)))
        .map((path) => ({ method, parts: path.split('/').filter((part) => part !== '') }));
    });
  }
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
