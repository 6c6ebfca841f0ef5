import { types } from 'node:util';

/**
 * Jest runs tests in a realm with an `Error` of its own, so that an error of Node's sockets is no instance of it
 * there, as it is everywhere else; clients of vendors that ask so lose its code. With this, both realms agree.
 */
Object.defineProperty(Error, Symbol.hasInstance, {
  value(this: unknown, value: unknown): boolean {
    return (
      Function.prototype[Symbol.hasInstance].call(this as typeof Error, value) ||
      (this === Error && types.isNativeError(value))
    );
  },
});
