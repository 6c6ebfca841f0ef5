import { HttpException } from '@nestjs/common';
import { bodyEncoded, bodyTooLarge } from '../http/body/body-errors';
import { DomainError, forbidden, invalidRequest } from './domain-error';

/** The text of Nest for a path that no controller has. */
const NO_ROUTE = /^Cannot [A-Z][A-Z-]+ /;

/**
 * Converts any error to a failure that may be shown. An unknown error becomes an internal error, whose text is only
 * logged. Nest's exceptions with the statuses 400, 401, 403, 404, 409 and 422 come from plugins, which chose their texts.
 * Those that Nest makes of errors of Express, for example for a path that it cannot decode, have the status 400, too.
 */
export function toDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  switch (statusOf(thrown)) {
    case 400:
      return invalidRequest(pluginTextOf(thrown) ?? 'the request is malformed');
    case 401:
      return new DomainError('unauthorized', 'Unauthorized', textOf(thrown));
    case 403:
      return forbidden(textOf(thrown));
    case 404:
      return notFound(textOf(thrown));
    case 409:
      return new DomainError('conflict', 'Conflict', textOf(thrown));
    case 422:
      return invalidRequest(textOf(thrown) ?? 'the request cannot be processed');
    case 413:
      return bodyTooLarge();
    case 415:
      return bodyEncoded();
    default:
      return new DomainError('internal_error', 'Internal Server Error', undefined, { cause: thrown });
  }
}

/** The status of Nest's exceptions, and of a path that Express cannot decode. */
function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpException) return thrown.getStatus();
  return thrown instanceof URIError ? 400 : 500;
}

const notFound = (text: string | undefined): DomainError =>
  text !== undefined && NO_ROUTE.test(text)
    ? new DomainError('route_not_found', 'Not Found', 'no such route')
    : new DomainError('not_found', 'Not Found', text);

/** The text of a plugin's exception; undefined if Nest made it of an error of Express, which carries its own status. */
function pluginTextOf(thrown: unknown): string | undefined {
  const cause = thrown instanceof HttpException ? thrown.cause : undefined;
  const isOfExpress = cause instanceof Error && 'status' in cause && cause.status === 400;
  return isOfExpress ? undefined : textOf(thrown);
}

/** The text of one of Nest's exceptions, or its texts, as those of a `ValidationPipe`; undefined if it has another form. */
function textOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof HttpException)) return undefined;
  const response = thrown.getResponse();
  // A plugin may pass on the body of another server, which may have none.
  const text: unknown =
    typeof response === 'string' ? response : (response as { message?: unknown } | null | undefined)?.message;
  if (Array.isArray(text) && text.every((each) => typeof each === 'string')) return text.join('; ');
  return typeof text === 'string' ? text : undefined;
}
