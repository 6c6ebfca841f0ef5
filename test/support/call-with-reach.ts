import { ROOT } from '../../src/access/principal';
import { currentRequest, runWithRequest } from '../../src/common/http/request-context';

/** What a limited API key reaches. */
export interface Reach {
  relayers?: string[];
  groups?: string[];
}

/** Calls a service as an API key does; without a reach, the key is unlimited. */
export const callWithReach = <T>(work: () => Promise<T>, reach?: Reach): Promise<T> =>
  new Promise((resolve, reject) => {
    runWithRequest('id', () => {
      const limited = reach && { relayers: new Set(reach.relayers), groups: new Set(reach.groups) };
      const request = currentRequest();
      if (request)
        request.principal = { ...ROOT, id: 'key', kind: 'api_key', ...(limited && { reach: limited }) };
      work().then(resolve, reject);
    });
  });
