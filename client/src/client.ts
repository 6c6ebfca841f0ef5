import { ApiRoutes } from './api-routes.ts';
import { Relayer } from './relayer.ts';

/** Calls the relayer management service: one relayer by {@link relayer}, every other route by its method and path. */
export class RelayerClient extends ApiRoutes {
  /** What one relayer signs and sends. */
  relayer(id: string): Relayer {
    return new Relayer(this, id);
  }
}
