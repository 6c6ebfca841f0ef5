import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, type ModulesContainer } from '@nestjs/core';
import { PortsModule } from '../common/ports/ports.module';
import { pluginOptionsOf } from './relayer-plugin.decorator';

export type Module = ModulesContainer extends Map<string, infer M> ? M : never;

/** A provider or a controller of a module. */
export type Wrapper = Module['providers'] extends Map<unknown, infer W> ? W : never;

/** A method of a controller that is a route. */
export interface RouteHandler {
  controller: { name: string };
  name: string;
  handler: object;
}

/** The modules of the service, and those that were added to it, in the order in which Nest registers their routes. */
export function partition(container: ModulesContainer): { service: Module[]; added: Module[] } {
  const modules = [...container.values()];
  // It is the last of the service's modules, and imports the added ones.
  const end = modules.findIndex(({ metatype }) => metatype === PortsModule);
  return { service: modules.slice(0, end), added: modules.slice(end) };
}

/** What to call a module in a message: the plugin that it declares, or its class. */
export function ownerOf({ metatype }: Module): string {
  const plugin = pluginOptionsOf(metatype);
  return plugin ? `The plugin ${plugin.name}` : `The module ${metatype.name}`;
}

const scanner = new MetadataScanner();

export const handlersOf = ({ controllers }: Module): RouteHandler[] =>
  [...controllers.values()].flatMap(({ metatype }) => {
    const controller = metatype as unknown as { name: string; prototype: Record<string, object> };
    return scanner
      .getAllMethodNames(controller.prototype)
      .map((name) => ({ controller, name, handler: controller.prototype[name] ?? {} }))
      .filter(({ handler }) => Reflect.hasMetadata(METHOD_METADATA, handler));
  });
