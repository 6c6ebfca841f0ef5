import { ArgumentMetadata, Injectable, PipeTransform } from '@nestjs/common';
import { eventLoopTurns } from '../event-loop/event-loop-turns';
import { invalidRequest } from '../errors/domain-error';
import { jsonRequired } from '../http/body/body-errors';
import { DTO_LIMITS, type JsonLimits, LONG_TEXT, WIDE_LIMITS } from './json-limits';
import { isObject } from './json-object';
import { OPTIONAL_BODY } from './optional-body.decorator';
import { decodeUtf8, readStrictJson } from './strict-json';
import { BODY_VALIDATION } from './body-validation';

/**
 * Parses the bytes of a request body into the DTO that the handler declares. Other parameters have pipes of their own
 * and pass unchanged.
 *
 * It runs after the guards, so the body of a rejected request is never parsed.
 */
@Injectable()
export class JsonBodyPipe implements PipeTransform {
  /**
   * Returns no promise if there is nothing to wait for, because every parameter of every request passes through here.
   */
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    if (metadata.type !== 'body') return value;
    // A handler that declares `unknown` or `object` accepts any JSON and checks it itself.
    if (metadata.metatype === Object) return eventLoopTurns.run(readBody(value, WIDE_LIMITS));
    return this.readDto(value, metadata);
  }

  private async readDto(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (!hasContent(value) && isOptional(metadata)) return BODY_VALIDATION.transform({}, metadata);
    const body = await eventLoopTurns.run(readBody(value, DTO_LIMITS));
    return BODY_VALIDATION.transform(assertObject(body), metadata);
  }
}

function* readBody(body: unknown, limits: JsonLimits): Generator<void, unknown> {
  if (!hasContent(body)) throw jsonRequired();
  if (body.length > LONG_TEXT) yield;
  return yield* readStrictJson(decodeUtf8(body), limits);
}

const hasContent = (body: unknown): body is Buffer => Buffer.isBuffer(body) && body.length > 0;

const isOptional = ({ metatype }: ArgumentMetadata): boolean =>
  metatype !== undefined && Reflect.hasMetadata(OPTIONAL_BODY, metatype);

function assertObject(value: unknown): object {
  if (!isObject(value)) throw invalidRequest('the request body must be a JSON object');
  return value;
}
