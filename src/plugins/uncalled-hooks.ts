import type { Type } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { type Module, ownerOf, partition, type Wrapper } from './added-modules';
import { HOOKS, methodsOf, START_HOOKS } from './hooks';

/**
 * A fault for each class of an added module whose hooks Nest never calls: a rule that it adds in one, such as a listener
 * of `signature.before`, would never apply.
 */
export const uncalledHookFaults = (modules: ModulesContainer): string[] =>
  partition(modules).added.flatMap((module) =>
    classesOf(module)
      .flatMap(faultsOf)
      .map((fault) => `${ownerOf(module)} has ${fault}`),
  );

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
