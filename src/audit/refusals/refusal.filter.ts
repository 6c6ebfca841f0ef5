import { type ArgumentsHost, Catch } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../../common/errors/domain-error';
import { ExceptionEnvelopeFilter } from '../../common/errors/exception.filter';
import { IDENTIFIER } from '../../common/validation/fields';
import { Refusals } from './refusals';

/** Records what a key is not allowed to do, and responds as for every other error. */
@Catch()
export class RefusalFilter extends ExceptionEnvelopeFilter {
  constructor(private readonly refusals: Refusals) {
    super();
  }

  override catch(thrown: unknown, host: ArgumentsHost): void {
    if (thrown instanceof DomainError && thrown.code === 'forbidden') this.record(thrown, host);
    super.catch(thrown, host);
  }

  private record({ code, detail }: DomainError, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const route = request.route as { path: string } | undefined;
    const relayerId = request.params.relayer_id;
    this.refusals.record({
      action: 'access.refuse',
      code,
      ...(typeof relayerId === 'string' && IDENTIFIER.test(relayerId) && { relayerId }),
      changes: {
        route: { before: null, after: `${request.method} ${route?.path ?? ''}` },
        reason: { before: null, after: detail },
      },
    });
  }
}
