import { type ExecutionContext, SetMetadata } from '@nestjs/common';
import { isMarked } from './is-marked';

class Base {
  @SetMetadata('a', true)
  marked(): void {
    // Only the metadata matters.
  }

  plain(): void {
    // Only the missing metadata matters.
  }
}

@SetMetadata('b', true)
class Derived extends Base {}

const contextOf = (controller: object, handler: object) =>
  ({ getClass: () => controller, getHandler: () => handler }) as unknown as ExecutionContext;

describe('isMarked', () => {
  it.each([
    ['a marked route', Base, 'marked', 'a', true],
    ['a route without the mark', Base, 'plain', 'a', false],
    ['another mark', Base, 'marked', 'b', false],
    ['a marked controller', Derived, 'plain', 'b', true],
    ['a handler that two controllers have', Derived, 'marked', 'b', true],
  ] as const)('%s', (_what, controller, handler, key, expected) => {
    const context = contextOf(controller, Base.prototype[handler]);
    expect([isMarked(context, key), isMarked(context, key)]).toEqual([expected, expected]);
  });
});
