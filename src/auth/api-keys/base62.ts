const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A number in base 62, with leading zeros up to `length` digits; it must fit. */
export function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n)
    text = `${DIGITS[Number(rest % 62n)] ?? ''}${text}`;
  return text;
}
