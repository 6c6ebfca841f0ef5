import type { DynamicModule, ForwardReference, Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { pluginOptionsOf } from './relayer-plugin.decorator';

type Module = Type | DynamicModule;

/** Anything that a module can import. A promise is not awaited: Nest resolves it when it creates the application. */
type Import =
  | Type
  | DynamicModule
  | ForwardReference<() => Module | undefined>
  | Promise<DynamicModule>
  | null
  | undefined;

/**
 * A fault for each plugin that modules import, but that is not one of them: Nest would load it, but its tables, scopes,
 * events and overrides would be ignored.
 */
export function importedPluginFaults(modules: readonly Module[]): string[] {
  const listed = new Set(modules.map(classOf));
  const seen = new Set<Type | DynamicModule>();
  const faults = new Set<string>();
  const visit = (module: Module): void => {
    if (seen.has(module)) return;
    seen.add(module);
    for (const imported of importsOf(module)) {
      const found = resolved(imported);
      // Nest names an import that is undefined because files import each other.
      if (!found || ('module' in found && !(found.module as unknown))) continue;
      const plugin = pluginOptionsOf(classOf(found));
      if (plugin && !listed.has(classOf(found)))
        faults.add(
          `The plugin ${plugin.name} is imported by ${classOf(module).name}, and not among the modules of the service: add it to them`,
        );
      visit(found);
    }
  };
  modules.forEach(visit);
  return [...faults];
}

const classOf = (module: Module): Type => ('module' in module ? module.module : module);

function importsOf(module: Module): Import[] {
  const declared = Reflect.getMetadata(MODULE_METADATA.IMPORTS, classOf(module)) as Import[] | undefined;
  return [...(declared ?? []), ...('module' in module ? (module.imports ?? []) : [])] as Import[];
}

/** Undefined for anything that is not known yet, and for what is no module, which Nest reports. */
function resolved(imported: Import): Module | undefined {
  const isModule = typeof imported === 'function' || (typeof imported === 'object' && imported !== null);
  if (!isModule || imported instanceof Promise) return undefined;
  return 'forwardRef' in imported ? imported.forwardRef() : imported;
}
