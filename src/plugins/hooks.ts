/** The methods of a class that Nest calls when the application starts. */
export const START_HOOKS = ['onModuleInit', 'onApplicationBootstrap'] as const;

/** The methods of a class that Nest calls when the application stops. */
export const STOP_HOOKS = ['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'] as const;

export const HOOKS = [...START_HOOKS, ...STOP_HOOKS] as const;

/** Those of the methods that instances of a class have; none of anything that is not a class. */
export function methodsOf<M extends string>(type: unknown, methods: readonly M[]): M[] {
  if (typeof type !== 'function') return [];
  const prototype = type.prototype as Partial<Record<M, unknown>> | undefined;
  return methods.filter((method) => typeof prototype?.[method] === 'function');
}
