import { types } from 'node:util';

/**
 * Jest runs tests in a realm with its own `Error`. There, errors of Node's sockets are not instances of `Error`, as
 * they are everywhere else, and vendors' clients that check this lose the error's code. This makes both realms agree.
 */
Object.defineProperty(Error, Symbol.hasInstance, {
  value(this: unknown, value: unknown): boolean {
    return (
      Function.prototype[Symbol.hasInstance].call(this as typeof Error, value) ||
      (this === Error && types.isNativeError(value))
    );
  },
});
