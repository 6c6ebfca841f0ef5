import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ConfigurationError } from '../config/configuration-error';
import { type Module, ownerOf, partition, type Wrapper } from './added-modules';
import { HOOKS, methodsOf, START_HOOKS } from './hooks';

/**
 * Refuses to start with a class of an added module whose hooks Nest never calls: a rule that it adds in one, such as a
 * listener of `signature.before`, would never apply.
 */
@Injectable()
export class UncalledHooks implements OnModuleInit {
  constructor(private readonly modules: ModulesContainer) {}

  /** @throws ConfigurationError with a sentence for each class */
  onModuleInit(): void {
    const faults = partition(this.modules).added.flatMap((module) =>
      classesOf(module).flatMap((wrapper) =>
        faultsOf(wrapper).map((fault) => `${ownerOf(module)} has ${fault}`),
      ),
    );
    if (faults.length > 0) throw new ConfigurationError(faults);
  }
}

const classesOf = ({ providers, controllers, injectables, middlewares }: Module): Wrapper[] =>
  [providers, controllers, injectables, middlewares].flatMap((wrappers) => [...wrappers.values()]);

function faultsOf(wrapper: Wrapper): string[] {
  if (wrapper.isAlias) return [];
  if (!wrapper.isDependencyTreeStatic())
    return faultOf(wrapper, HOOKS, 'it, or what it injects, has the scope of a request');
  if (wrapper.isTransient && wrapper.getStaticTransientInstances().length === 0)
    return faultOf(wrapper, START_HOOKS, 'it is transient, and nothing injects it');
  return [];
}

function faultOf({ isFactory, token, metatype }: Wrapper, methods: readonly string[], why: string): string[] {
  // What a factory returns is not known yet: its token tells, if it is a class.
  const type: unknown = isFactory ? token : metatype;
  const [hook] = methodsOf(type, methods);
  return hook === undefined ? [] : [`${(type as Type).name}, whose ${hook} is never called, because ${why}`];
}
