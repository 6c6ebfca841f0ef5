import type { ModulesContainer } from '@nestjs/core';
import { PortsModule } from '../common/ports/ports.module';
import { SignerKind } from '../signers/signer-kinds';
import type { SignerProviderFactory } from '../signers/signer-provider';
import { type Module, ownerOf, partition, type Wrapper } from './added-modules';
import { PORT_METHODS } from './overridable-ports';
import { pluginOptionsOf } from './relayer-plugin.decorator';

const FACTORY_METHODS: readonly (keyof SignerProviderFactory)[] = ['prepare', 'open'];

/**
 * A fault for each override of a port, or factory of signers, that lacks a method, as the compiler finds. In JavaScript,
 * the first request that needs the method would fail. Instances are checked, because a method may also be a member that
 * the constructor sets.
 */
export function missingMethodFaults(modules: ModulesContainer): string[] {
  const { added } = partition(modules);
  const ports = added.find(({ metatype }) => metatype === PortsModule);
  return added.flatMap((module) =>
    [...overrideFaults(module, ports), ...signerKindFaults(module)].map(
      (fault) => `${ownerOf(module)} must ${fault}`,
    ),
  );
}

function overrideFaults({ metatype }: Module, ports: Module | undefined): string[] {
  return (pluginOptionsOf(metatype)?.overrides ?? []).flatMap(({ port, useClass }) => {
    const wrapper = ports?.providers.get(port);
    // Without a request there is no instance yet of a class that has the scope of one.
    if (!wrapper?.isDependencyTreeStatic()) return [];
    const missing = missingIn(wrapper, PORT_METHODS.get(port) ?? []);
    return missing === ''
      ? []
      : [`override ${port.name} with all its methods: ${useClass.name} lacks ${missing}`];
  });
}

function signerKindFaults({ providers }: Module): string[] {
  return [...providers.values()].flatMap((wrapper) => {
    const type = classOf(wrapper);
    const kind: unknown = type && Reflect.getOwnMetadata(SignerKind.KEY, type);
    if (wrapper.isAlias || !type || kind === undefined) return [];
    if (typeof kind !== 'string') return [`name the signer kind of ${type.name}: @SignerKind('name')`];
    if (!wrapper.isDependencyTreeStatic())
      return [
        `create signers of kind ${kind} with ${type.name} in the default scope, not in that of a request`,
      ];
    const missing = missingIn(wrapper, FACTORY_METHODS);
    return missing === ''
      ? []
      : [`create signers of kind ${kind} with the methods of a factory: ${type.name} lacks ${missing}`];
  });
}

/** The class that Nest takes the decorators of a provider from. */
function classOf({ metatype, inject, instance }: Wrapper): { name: string } | undefined {
  const isOfClass = metatype !== null && !inject;
  return isOfClass ? metatype : (instance as object | null | undefined)?.constructor;
}

const missingIn = ({ instance }: Wrapper, methods: readonly string[]): string =>
  methods.filter((method) => typeof (instance as Record<string, unknown>)[method] !== 'function').join(', ');
