import { invalidRequest } from '../../common/errors/domain-error';
import { keccak256 } from './keccak256';
import { withoutPrefix } from './without-prefix';

/** The text encodings of a message. */
export const MESSAGE_ENCODINGS = ['utf8', 'hex'] as const;
export type MessageEncoding = (typeof MESSAGE_ENCODINGS)[number];

/** Size of an EIP-191 message. @limit Typed data, messages and transactions */
export const MAX_MESSAGE_BYTES = 256 * 1024;

/**
 * The bytes of a message: its UTF-8, or the bytes of its hex digits (an even number, either case, optional `0x`).
 *
 * @throws DomainError `invalid_request`
 */
export function messageBytes(message: string, encoding: MessageEncoding): Buffer {
  const bytes = encoding === 'hex' ? fromHex(message) : fromText(message);
  if (bytes.length > MAX_MESSAGE_BYTES)
    throw invalidRequest(`message must not exceed ${MAX_MESSAGE_BYTES} bytes`);
  return bytes;
}

/** The digest of an EIP-191 message, version 0x45: keccak256("\x19Ethereum Signed Message:\n" ‖ length ‖ message). */
export function personalMessageDigest(message: Buffer): Uint8Array {
  const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`);
  return keccak256(Buffer.concat([prefix, message]));
}

function fromHex(message: string): Buffer {
  const digits = withoutPrefix(message);
  if (digits.length % 2 === 1 || !/^[0-9a-fA-F]*$/.test(digits))
    throw invalidRequest('message must be an even number of hex digits (optional 0x)');
  return Buffer.from(digits, 'hex');
}

function fromText(message: string): Buffer {
  // An unpaired surrogate has no UTF-8 form; the encoder would silently replace it.
  if (!message.isWellFormed()) throw invalidRequest('message holds an unpaired surrogate');
  return Buffer.from(message, 'utf8');
}
