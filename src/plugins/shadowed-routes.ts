import { Injectable, type OnModuleInit, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, MODULE_PATH, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { PortsModule } from '../common/ports/ports.module';
import { ConfigurationError } from '../config/configuration-error';

type Module = ModulesContainer extends Map<string, infer M> ? M : never;

interface Route {
  method: RequestMethod;
  /** The parts of its path, such as `relayers` and `:relayer_id`. */
  parts: string[];
}

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
    const modules = [...this.modules.values()];
    // It is the last of the service's modules, and imports the added ones.
    const end = modules.findIndex(({ metatype }) => metatype === PortsModule);
    const own = modules.slice(0, end).flatMap((module) => this.routesOf(module));
    const earlier: Route[] = [];
    const faults: string[] = [];
    for (const module of modules.slice(end)) {
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

  private routesOf({ metatype: module, controllers }: Module): Route[] {
    const base = pathsAt(module, `${MODULE_PATH}${this.modules.applicationId}`);
    return [...controllers.values()].flatMap(({ metatype }) => {
      const prototype = (metatype as { prototype: Record<string, object> }).prototype;
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler = prototype[name] ?? {};
        const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
        if (method === undefined) return [];
        const prefixes = pathsAt(metatype as object, PATH_METADATA);
        const ends = pathsAt(handler, PATH_METADATA);
        return base
          .flatMap((first) => prefixes.flatMap((prefix) => ends.map((last) => `${first}/${prefix}/${last}`)))
          .map((path) => ({ method, parts: path.split('/').filter((part) => part !== '') }));
      });
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
