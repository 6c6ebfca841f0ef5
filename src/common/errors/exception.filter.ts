import { ArgumentsHost, Catch, ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { sendFailure } from './send-failure';

/** Turns every error that is thrown during a request into the failure envelope. */
@Catch()
export class ExceptionEnvelopeFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    sendFailure(thrown, host.switchToHttp().getResponse<Response>());
  }
}
