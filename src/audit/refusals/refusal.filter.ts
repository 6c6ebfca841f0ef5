import { type ArgumentsHost, Catch, type ExceptionFilter, type OnApplicationShutdown } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '../../common/errors/domain-error';
import { sendFailure } from '../../common/errors/send-failure';
import { IDENTIFIER } from '../../common/validation/fields';
import { Refusals } from './refusals';

/** Turns every error of a request into the failure envelope, and records what a key is not allowed to do. */
@Catch()
export class RefusalFilter implements ExceptionFilter, OnApplicationShutdown {
  constructor(private readonly refusals: Refusals) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    if (thrown instanceof DomainError && thrown.code === 'forbidden') this.record(thrown, host);
    sendFailure(thrown, host.switchToHttp().getResponse<Response>());
  }

  /** Here, because Nest closes the database before it calls this hook in global modules. */
  onApplicationShutdown(): Promise<void> {
    return this.refusals.settled();
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
