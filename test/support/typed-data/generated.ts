import type { RawTypedData } from '../../../src/chains/evm/typed-data/typed-data';

type Random = () => number;

interface Member {
  name: string;
  type: string;
}

const ATOMIC = [
  'address',
  'bool',
  'string',
  'bytes',
  ...[1, 2, 4, 20, 31, 32].map((size) => `bytes${size}`),
  ...[8, 16, 24, 64, 128, 160, 248, 256].flatMap((bits) => [`uint${bits}`, `int${bits}`]),
];
const TEXTS = ['', 'Hello, Bob!', 'Grüße, Bob 😀', '\u0000\n"\\', 'x'.repeat(300), '0x1234'];

/** Typed data with random types and matching values, the same for the same seed. */
export function generateTypedData(seed: number): RawTypedData {
  const random = mulberry32(seed);
  const types = randomTypes(random);
  return {
    domain: randomDomain(random),
    types,
    primaryType: 'T0',
    message: randomStruct('T0', types, random),
  };
}

/** A chain of structs, each of which is used by the previous one, with additional references to later ones. */
function randomTypes(random: Random): Record<string, Member[]> {
  const count = 1 + integer(random, 5);
  const types: Record<string, Member[]> = {};
  for (let i = 0; i < count; i += 1) {
    const members = Array.from({ length: integer(random, 5) }, () => randomAtomic(random));
    if (i + 1 < count) members.push(`T${i + 1}`);
    if (i + 2 < count && random() < 0.5) members.push(`T${i + 2 + integer(random, count - i - 2)}`);
    shuffle(members, random);
    types[`T${i}`] = members.map((type, m) => ({ name: `m${m}`, type: type + randomSuffix(random) }));
  }
  return types;
}

const randomAtomic = (random: Random): string => ATOMIC[integer(random, ATOMIC.length)]!;

function randomSuffix(random: Random): string {
  const dimensions = random() < 0.6 ? 0 : 1 + integer(random, 2);
  return Array.from({ length: dimensions }, () =>
    random() < 0.5 ? '[]' : `[${1 + integer(random, 3)}]`,
  ).join('');
}

function randomDomain(random: Random): Record<string, unknown> {
  const all: Record<string, unknown> = {
    name: TEXTS[integer(random, TEXTS.length)],
    version: '1',
    chainId: 1 + integer(random, 100_000),
    verifyingContract: hex(random, 20),
    salt: hex(random, 32),
  };
  const kept = Object.entries(all).filter(() => random() < 0.6);
  return kept.length > 0 ? Object.fromEntries(kept) : { name: 'only' };
}

function randomStruct(
  name: string,
  types: Record<string, Member[]>,
  random: Random,
): Record<string, unknown> {
  return Object.fromEntries(
    types[name]!.map((member) => [member.name, randomValue(member.type, types, random)]),
  );
}

function randomValue(type: string, types: Record<string, Member[]>, random: Random): unknown {
  const [, item, length] = /^(.*)\[(\d*)\]$/.exec(type) ?? [];
  if (item !== undefined) {
    const count = length === '' ? integer(random, 4) : Number(length);
    return Array.from({ length: count }, () => randomValue(item, types, random));
  }
  return type in types ? randomStruct(type, types, random) : randomAtomicValue(type, random);
}

function randomAtomicValue(type: string, random: Random): unknown {
  const [, kind, size] = /^(bytes|uint|int)(\d+)$/.exec(type) ?? [];
  if (kind === 'bytes') return hex(random, Number(size));
  if (kind !== undefined) return randomInteger(kind === 'int', Number(size), random);
  switch (type) {
    case 'address':
      return hex(random, 20);
    case 'bool':
      return random() < 0.5;
    case 'bytes':
      return hex(random, integer(random, 70));
    default:
      return TEXTS[integer(random, TEXTS.length)];
  }
}

function randomInteger(isSigned: boolean, bits: number, random: Random): string {
  const half = 2n ** BigInt(bits - 1);
  const [min, max] = isSigned ? [-half, half - 1n] : [0n, 2n * half - 1n];
  switch (integer(random, 4)) {
    case 0:
      return min.toString();
    case 1:
      return max.toString();
    default:
      return (min + (BigInt(hex(random, 32)) % (max - min + 1n))).toString();
  }
}

const integer = (random: Random, below: number): number => Math.floor(random() * below);

const hex = (random: Random, bytes: number): string =>
  `0x${Array.from({ length: bytes }, () => integer(random, 256).toString(16).padStart(2, '0')).join('')}`;

function shuffle(items: string[], random: Random): void {
  for (let i = items.length - 1; i > 0; i -= 1) {
    const j = integer(random, i + 1);
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
}

/** A small generator of well-distributed numbers in [0, 1). */
function mulberry32(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
