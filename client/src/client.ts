import { ApiRoutes } from './api-routes.ts';
import { Relayer } from './relayer.ts';

/**
 * Calls the relayer management service: a single relayer with {@link relayer}, and every other route by method and
 * path.
 */
export class RelayerClient extends ApiRoutes {
  /** The operations of one relayer. */
  relayer(id: string): Relayer {
    return new Relayer(this, id);
  }
}
