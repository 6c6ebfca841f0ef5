import { ArgumentsHost, Catch, ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { sendFailure } from './send-failure';

/** Everything thrown on the way ends here, as the failure envelope. */
@Catch()
export class ExceptionEnvelopeFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    sendFailure(thrown, host.switchToHttp().getResponse<Response>());
  }
}
