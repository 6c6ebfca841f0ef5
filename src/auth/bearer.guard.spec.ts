import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from '@nestjs/common';
import { runWithRequest } from '../common/http/request-context';
import type { Authenticator } from './authenticator';
import { BearerGuard } from './bearer.guard';
import { currentPrincipal, type Principal, ROOT } from '../access/principal';
import { Public } from '../access/public.decorator';

const KEY: Principal = { ...ROOT, id: 'from-the-database', kind: 'api_key' };

class Routes {
  closed(): void {
    // The guard only uses the decorators.
  }

  @Public()
  open(): void {
    // As above.
  }
}

describe('BearerGuard', () => {
  const contextOf = (handler: keyof Routes): ExecutionContext =>
    ({
      getHandler: () => Routes.prototype[handler],
      getClass: () => Routes,
      switchToHttp: () => ({
        getRequest: () => ({ socket: {} }),
      }),
    }) as unknown as ExecutionContext;

  /** A guard whose authenticator takes time, like one that queries a database. */
  const guard = (principal: Principal | undefined): BearerGuard =>
    new BearerGuard({
      authenticate: () => sleep(5).then(() => principal),
    } as unknown as Authenticator);

  const serve = (principal: Principal | undefined, handler: keyof Routes) =>
    new Promise<[boolean, Principal | undefined]>((resolve, reject) => {
      runWithRequest('id', () => {
        Promise.resolve(guard(principal).canActivate(contextOf(handler))).then((passes) => {
          resolve([passes, currentPrincipal()]);
        }, reject);
      });
    });

  it('sets the principal of the request', async () => {
    await expect(serve(KEY, 'closed')).resolves.toEqual([true, KEY]);
  });

  it('refuses a request without a principal', async () => {
    await expect(serve(undefined, 'closed')).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('admits every request to public routes, without a principal', async () => {
    await expect(serve(KEY, 'open')).resolves.toEqual([true, undefined]);
  });

  it('has no principal outside a request', () => {
    expect(currentPrincipal()).toBeUndefined();
  });
});
