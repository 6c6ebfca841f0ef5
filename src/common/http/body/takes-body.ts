import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/internal';
import type { Request } from 'express';
import { getOrCreate } from '../../get-or-create';

/** The methods whose body has a meaning (RFC 9110, 9.3). */
const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** The kinds of parameters of handlers, by handler. */
const known = new WeakMap<object, ReadonlySet<number>>();

/** Whether the handler of a request has a body parameter. */
export const takesBody = (context: ExecutionContext): boolean => takes(context, RouteParamtypes.BODY);

/**
 * Whether the body of a request must be empty, because it has a meaning and the handler does not take it. A handler that
 * takes the whole request may read its stream.
 */
export const mustBeEmpty = (context: ExecutionContext): boolean =>
  METHODS_WITH_BODY.has(context.switchToHttp().getRequest<Request>().method) &&
  !takesBody(context) &&
  !takes(context, RouteParamtypes.REQUEST);

function takes(context: ExecutionContext, kind: RouteParamtypes): boolean {
  const handler = context.getHandler();
  const kinds = getOrCreate(known, handler, () => {
    const name = nameOf(context.getClass().prototype as object, handler) ?? handler.name;
    const parameters: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), name);
    return new Set(Object.keys(parameters ?? {}).map((key) => Number.parseInt(key)));
  });
  return kinds.has(kind);
}

/** Nest stores parameters by the name of the method; a decorator may have put another function in its place. */
function nameOf(prototype: object | null, handler: unknown): string | symbol | undefined {
  for (let each = prototype; each !== null; each = Object.getPrototypeOf(each) as object | null)
    for (const name of Reflect.ownKeys(each))
      if (Object.getOwnPropertyDescriptor(each, name)?.value === handler) return name;
  return undefined;
}
