import {
  BadRequestException,
  ConflictException,
  ForbiddenException,
  HttpException,
  NotFoundException,
  PayloadTooLargeException,
  UnauthorizedException,
  UnprocessableEntityException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { DomainError, invalidRequest } from './domain-error';
import { toDomainError } from './to-domain-error';

/** What Nest makes of an error of Express. */
const ofExpress = (error: Error): BadRequestException =>
  new BadRequestException(error.message, { cause: Object.assign(error, { status: 400 }) });

describe('toDomainError', () => {
  it('leaves a domain error as it is', () => {
    const error = invalidRequest('name is required');
    expect(toDomainError(error)).toBe(error);
  });

  it.each([
    [
      'an unknown route',
      new NotFoundException('Cannot GET /k3y'),
      'route_not_found',
      'Not Found',
      'no such route',
    ],
    [
      'a body of more than 1 MiB',
      new PayloadTooLargeException('k3y'),
      'payload_too_large',
      'Payload Too Large',
      'the request body must not exceed 1 MiB',
    ],
    [
      'an encoded body',
      new UnsupportedMediaTypeException('k3y'),
      'unsupported_media_type',
      'Unsupported Media Type',
      'Content-Encoding must be identity: send the body uncompressed',
    ],
    [
      'a path that cannot be decoded',
      new URIError("Failed to decode param '%k3y'"),
      'invalid_request',
      'Bad Request',
      'the request is malformed',
    ],
    [
      'a path that Express could not decode',
      ofExpress(new URIError('k3y')),
      'invalid_request',
      'Bad Request',
      'the request is malformed',
    ],
    [
      'a body that a parser refused',
      ofExpress(new SyntaxError('k3y')),
      'invalid_request',
      'Bad Request',
      'the request is malformed',
    ],
    [
      'a body that was cut off',
      ofExpress(new Error('k3y')),
      'invalid_request',
      'Bad Request',
      'the request is malformed',
    ],
  ])('describes %s', (_what, thrown, code, message, detail) => {
    const error = toDomainError(thrown);
    expect(error).toMatchObject({ code, message, detail });
    expect(JSON.stringify(error)).not.toContain('k3y');
  });

  it.each([
    [new BadRequestException('amount is missing'), 'invalid_request', 'Bad Request', 'amount is missing'],
    [
      new BadRequestException('amount is wrong', { cause: new Error('k3y') }),
      'invalid_request',
      'Bad Request',
      'amount is wrong',
    ],
    [new UnauthorizedException('second factor'), 'unauthorized', 'Unauthorized', 'second factor'],
    [new ForbiddenException('Forbidden resource'), 'forbidden', 'Forbidden', 'Forbidden resource'],
    [new NotFoundException('Note 5 not found'), 'not_found', 'Not Found', 'Note 5 not found'],
    [new NotFoundException(), 'not_found', 'Not Found', 'Not Found'],
    [new ConflictException('Note 5 exists'), 'conflict', 'Conflict', 'Note 5 exists'],
    [new ConflictException({ message: ['a text', 5] }), 'conflict', 'Conflict', 'Conflict'],
    [
      new BadRequestException(['a is missing', 'b is long']),
      'invalid_request',
      'Bad Request',
      'a is missing; b is long',
    ],
    [new UnprocessableEntityException('too long'), 'invalid_request', 'Bad Request', 'too long'],
    // The body of another server that sent none.
    [new HttpException(undefined as never, 404), 'not_found', 'Not Found', 'Not Found'],
  ])('keeps the meaning and the text of an exception of a plugin: %s', (thrown, code, message, detail) => {
    expect(toDomainError(thrown)).toMatchObject({ code, message, detail });
  });

  it.each([
    ['an error', new Error('connect ECONNREFUSED k3y')],
    ['an error whose status is not a number', Object.assign(new Error('k3y'), { status: 'x', type: 'y' })],
    ['an unforeseen status', new HttpException('k3y', 418)],
    ['a text', 'k3y'],
    ['null', null],
    ['undefined', undefined],
    ['an object', { status: 400, type: 'x', message: 'k3y' }],
  ])('reveals nothing about %s', (_what, thrown) => {
    const error = toDomainError(thrown);
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({
      code: 'internal_error',
      message: 'Internal Server Error',
      detail: 'Internal Server Error',
    });
    expect(error.cause).toBe(thrown);
  });
});
