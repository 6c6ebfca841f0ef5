import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { JsonBodyPipe } from '../../validation/json-body.pipe';
import { OptionalBody } from '../../validation/optional-body.decorator';
import { mustBeEmpty } from './takes-body';

/** A body without fields. */
@OptionalBody()
class NoFields {}

/**
 * Refuses the fields of a body that the handler does not take, by the rules for bodies that are taken: a field that has
 * no effect must not look as if it had one. It runs after all other guards, like the pipes that parse other bodies.
 */
@Injectable()
export class EmptyBodyGuard implements CanActivate {
  private readonly pipe = new JsonBodyPipe();

  /** @throws DomainError `invalid_request` */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const body: unknown = context.switchToHttp().getRequest<Request>().body;
    if (body === undefined || !mustBeEmpty(context)) return true;
    return this.assertEmpty(body);
  }

  private async assertEmpty(body: unknown): Promise<boolean> {
    await this.pipe.transform(body, { type: 'body', metatype: NoFields });
    return true;
  }
}
