/** StrKey (SEP-23), the text form of Stellar keys: base32 of a version byte, the payload and a CRC16-XModem. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Version bytes, which determine the first letter of the text. */
export const STRKEY_ACCOUNT = 6 << 3; // G…
export const STRKEY_CONTRACT = 2 << 3; // C…

export function encodeStrKey(version: number, payload: Uint8Array): string {
  const body = Buffer.concat([Buffer.from([version]), payload]);
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16LE(crc16(body));
  return base32(Buffer.concat([body, checksum]));
}

/** True for the text form of a 32-byte key of this version, checksum included. */
export function isStrKey(version: number, text: unknown): boolean {
  if (typeof text !== 'string' || !/^[A-Z2-7]{56}$/.test(text)) return false;
  return encodeStrKey(version, unbase32(text).subarray(1, 33)) === text;
}

function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}

function base32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[parseInt(five, 2)]).join('');
}

function unbase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => parseInt(eight, 2)));
}
