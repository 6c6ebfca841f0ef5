const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Encodes a number in base 62, padded with zeros to `length` digits. The number must fit. */
export function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n)
    text = `${DIGITS[Number(rest % 62n)] ?? ''}${text}`;
  return text;
}
