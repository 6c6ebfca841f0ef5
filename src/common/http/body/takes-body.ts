import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/internal';
import type { Request } from 'express';

/** The methods whose body has a meaning (RFC 9110, 9.3). */
const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

const known = new WeakMap<object, boolean>();

/** Whether the handler of a request has a body parameter. */
export function takesBody(context: ExecutionContext): boolean {
  const handler = context.getHandler();
  const found = known.get(handler);
  if (found !== undefined) return found;
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) ??
    {}) as object;
  const takes = Object.keys(parameters).some((key) => key.startsWith(`${RouteParamtypes.BODY}:`));
  known.set(handler, takes);
  return takes;
}

/** Whether the body of a request must be empty, because it has a meaning and the handler does not take it. */
export const mustBeEmpty = (context: ExecutionContext): boolean =>
  METHODS_WITH_BODY.has(context.switchToHttp().getRequest<Request>().method) && !takesBody(context);
