import type { Abstract } from '@nestjs/common';
import { getOrCreate } from '../get-or-create';

const tokens = new WeakMap<Abstract<unknown>, symbol>();

/**
 * The injection token of the service's own implementation of a port. A plugin that replaces the port can inject it and
 * delegate to the service: `@Inject(original(RelayersApi)) private readonly relayers: RelayersApi`.
 *
 * @public
 */
export function original(port: Abstract<unknown>): symbol {
  return getOrCreate(tokens, port, () => Symbol(`original ${port.name}`));
}
