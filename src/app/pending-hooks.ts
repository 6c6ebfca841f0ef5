import { ModulesContainer } from '@nestjs/core';
import { partition, type Wrapper } from '../plugins/added-modules';
import type { HOOKS } from '../plugins/hooks';

type Hook = (typeof HOOKS)[number];
type Hooked = Partial<Record<Hook, (...args: unknown[]) => unknown>>;

/** Knows which hooks of added modules have begun and not ended, until it is closed. */
export class PendingHooks {
  private readonly pending = new Set<string>();
  private readonly restorers: (() => void)[] = [];

  /** Must be created before Nest calls the hooks. */
  constructor(
    container: ModulesContainer,
    private readonly hooks: readonly Hook[],
  ) {
    for (const { providers, controllers } of partition(container).added)
      for (const wrapper of [...providers.values(), ...controllers.values()]) this.watch(wrapper);
  }

  /** Their classes and methods, such as `NoBlindSignatures.onModuleInit`. */
  get names(): string[] {
    return [...this.pending];
  }

  close(): void {
    for (const restore of this.restorers.reverse()) restore();
  }

  private watch({ isAlias, instance }: Wrapper): void {
    if (isAlias || typeof instance !== 'object' || (instance as unknown) === null) return;
    const hooked = instance as Hooked;
    for (const hook of this.hooks) {
      const original = hooked[hook];
      if (typeof original !== 'function') continue;
      const own = Object.getOwnPropertyDescriptor(hooked, hook);
      const name = `${hooked.constructor.name}.${hook}`;
      const value = (...args: unknown[]): Promise<unknown> =>
        this.call(name, () => original.apply(hooked, args));
      // An object that is frozen keeps its hook, and is not named.
      if (!Reflect.defineProperty(hooked, hook, { value, configurable: true, writable: true })) continue;
      this.restorers.push(() =>
        own ? Object.defineProperty(hooked, hook, own) : Reflect.deleteProperty(hooked, hook),
      );
    }
  }

  private async call(name: string, hook: () => unknown): Promise<unknown> {
    this.pending.add(name);
    try {
      return await hook();
    } finally {
      this.pending.delete(name);
    }
  }
}
