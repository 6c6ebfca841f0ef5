import type { MessagePolicy } from '../../relayers/policies/message-policy.dto';
import { messageNotAllowed } from './authorization.errors';

const HASH_BYTES = 32;
/**
 * Control characters other than tab, line feed and carriage return; invisible format characters, including those that
 * change the direction of text, but not the joiners that scripts and emoji need; private-use, unassigned and surrogate
 * code points.
 */
const UNPRINTABLE = /[^\P{C}\t\n\r\u200c\u200d]/u;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Checks a message by its bytes, regardless of its encoding in the request.
 *
 * @throws DomainError `message_not_allowed`
 */
export function authorizeMessage({ allow }: MessagePolicy, message: Uint8Array): void {
  if (allow === 'any') return;
  if (allow !== 'text') throw messageNotAllowed(`policies.messages.allow is ${JSON.stringify(allow)}`);
  if (message.length === HASH_BYTES)
    throw messageNotAllowed('policies.messages.allow is "text", and 32 bytes may be a hash');
  if (!isPrintable(message))
    throw messageNotAllowed('policies.messages.allow is "text", and the message is not printable UTF-8');
}

function isPrintable(message: Uint8Array): boolean {
  try {
    return !UNPRINTABLE.test(utf8.decode(message));
  } catch {
    return false;
  }
}
