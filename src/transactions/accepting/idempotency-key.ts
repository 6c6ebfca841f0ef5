import { createHash } from 'node:crypto';
import { invalidRequest } from '../../common/errors/domain-error';
import { canonicalJson } from '../../secrets/canonical-json';

/** Visible ASCII, as the IETF draft of the header has it. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The header `Idempotency-Key`; undefined where it is absent. @throws DomainError `invalid_request` */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || KEY.test(header)) return header;
  throw invalidRequest('Idempotency-Key must be 1 to 255 visible ASCII characters');
}

/** Equal for bodies that are the same JSON, in whatever order their members are: SHA-256 in hex. */
export const digestOf = (body: object): string =>
  createHash('sha256').update(canonicalJson(body)).digest('hex');
