/** MariaDB refuses JSON that is nested more than 32 levels deep. */
const MAX_DEPTH = 16;
/** Decimal numbers of up to this many digits survive conversion to a double and back. */
const EXACT_DIGITS = 15;

/**
 * A value as every database stores and returns it, so that the hash of its row can be verified. Numbers that a database
 * might round become text, unpaired surrogates become U+FFFD. Bigints become text too; all else is as in JSON.
 *
 * @throws RangeError if it is nested too deeply
 */
export function storableJson(value: object): unknown {
  const text = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  );
  return storable(JSON.parse(text), 0);
}

function storable(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number') return isExact(value) ? value : String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH)
    throw new RangeError(`The changes of an audit event are nested more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(value)) return value.map((item) => storable(item, depth + 1));
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([name, member]) => [name.toWellFormed(), storable(member, depth + 1)]),
  );
}

function isExact(value: number): boolean {
  if (Number.isSafeInteger(value)) return true;
  const [digits = ''] = String(value).split('e');
  return digits.replace(/\D/g, '').length <= EXACT_DIGITS;
}
