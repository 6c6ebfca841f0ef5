import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/internal';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, ModulesContainer } from '@nestjs/core';
import { PUBLIC_ROUTE } from '../access/public.decorator';
import { REQUIRED_SCOPES } from '../access/require-scope.decorator';
import { grantableScopes } from '../access/scopes';
import { ConfigurationError } from '../config/configuration-error';
import { handlersOf, type Module, partition } from './added-modules';
import { missingMethodFaults } from './missing-methods';
import { shadowedRouteFaults } from './shadowed-routes';
import { uncalledHookFaults } from './uncalled-hooks';

/** Providers that Nest applies to the routes of all modules, with what a controller uses instead. */
const GLOBAL_PROVIDERS: Readonly<Record<string, string>> = {
  [APP_FILTER]: '@UseFilters()',
  [APP_GUARD]: '@UseGuards()',
  [APP_INTERCEPTOR]: '@UseInterceptors()',
  [APP_PIPE]: '@UsePipes()',
};

/** What keeps the service from starting with an added module. */
const RULES: readonly ((modules: ModulesContainer) => string[])[] = [
  changedRouteFaults,
  shadowedRouteFaults,
  uncalledHookFaults,
  missingMethodFaults,
];

/** Refuses to start with added modules that break a rule. */
@Injectable()
export class AddedModuleRules implements OnModuleInit {
  constructor(private readonly modules: ModulesContainer) {}

  /** @throws ConfigurationError with a sentence for each fault of the first rule that is broken */
  onModuleInit(): void {
    for (const rule of RULES) {
      const faults = rule(this.modules);
      if (faults.length > 0) throw new ConfigurationError(faults);
    }
  }
}

/**
 * A fault for each added module that would change the routes of the service, such as the failures that are recorded in
 * the audit log, that requires a scope that no API key can have, or that takes a body in a way that always fails.
 */
function changedRouteFaults(modules: ModulesContainer): string[] {
  return partition(modules).added.flatMap((module) => [
    ...globalProviderFaults(module),
    ...handlerFaults(module),
  ]);
}

function handlerFaults(module: Module): string[] {
  const known: readonly string[] = grantableScopes();
  return handlersOf(module).flatMap(({ controller, name, handler }) => [
    ...[...scopesOf(controller), ...scopesOf(handler)]
      .filter((scope) => !known.includes(scope))
      .map((scope) => `${controller.name}.${name} requires the scope ${scope}, which no plugin declares`),
    ...(isContradictory(controller, handler)
      ? [`${controller.name}.${name} requires a scope, and is public: use one of the decorators`]
      : []),
    ...bodyMembersOf(controller, name).map(
      (member) =>
        `${controller.name}.${name} takes @Body('${member}'): take the whole body as a class, because only this is validated`,
    ),
  ]);
}

/** Nest gives such a provider a name of its own, which begins with the constant. */
function globalProviderFaults({ name, providers, injectables }: Module): string[] {
  const tokens = [...providers.keys(), ...injectables.keys()].map(String);
  return Object.entries(GLOBAL_PROVIDERS)
    .filter(([constant]) => tokens.some((token) => token === constant || token.startsWith(`${constant} `)))
    .map(
      ([constant, decorator]) =>
        `${name} provides ${constant}, which would apply to the routes of the service: use ${decorator} on its controllers`,
    );
}

const scopesOf = (target: object): string[] =>
  (Reflect.getMetadata(REQUIRED_SCOPES, target) as string[] | undefined) ?? [];

/** Only a handler may be public whose controller requires a scope: its own decorator is the more specific one. */
function isContradictory(controller: object, handler: object): boolean {
  const isPublic = (target: object): boolean => Reflect.getMetadata(PUBLIC_ROUTE, target) === true;
  const requires = (target: object): boolean => scopesOf(target).length > 0;
  if (requires(handler)) return isPublic(handler) || isPublic(controller);
  return !isPublic(handler) && requires(controller) && isPublic(controller);
}

/** The members of the body that a handler takes. It is parsed as a whole, and has none before that. */
function bodyMembersOf(controller: object, handler: string): string[] {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {}) as Readonly<
    Record<string, { data?: unknown }>
  >;
  return Object.entries(parameters)
    .filter(([key]) => Number.parseInt(key) === (RouteParamtypes.BODY as number))
    .map(([, { data }]) => data)
    .filter((data) => typeof data === 'string');
}
