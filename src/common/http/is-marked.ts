import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { getOrCreate } from '../get-or-create';

type Marks = WeakMap<object, Map<string, boolean>>;

const reflector = new Reflector();
const routes = new WeakMap<object, Marks>();

/**
 * Whether `SetMetadata(key, true)` has marked the route of a request or its controller. Each route is looked up only
 * once, because a lookup by reflection costs 0.5 µs.
 */
export function isMarked(context: ExecutionContext, key: string): boolean {
  const [controller, handler] = [context.getClass(), context.getHandler()];
  const handlers = getOrCreate(routes, controller, () => new WeakMap());
  const marks = getOrCreate(handlers, handler, () => new Map<string, boolean>());
  const read = (): boolean => reflector.getAllAndOverride<unknown>(key, [handler, controller]) === true;
  return getOrCreate(marks, key, read);
}
