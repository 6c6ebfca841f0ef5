import { readSignature } from './signature-headers';

const COVERED = '("@method" "@target-uri" "content-digest")';
const INPUT = `sig=${COVERED};created=1618884473;nonce="abcdefgh";keyid="k"`;
const SIGNATURE = 'sig=:AAEC:';

describe('readSignature', () => {
  it('reads one signature with its parameters, in any order', () => {
    expect(readSignature(INPUT, SIGNATURE)).toEqual({
      components: ['@method', '@target-uri', 'content-digest'],
      created: 1_618_884_473,
      expires: undefined,
      nonce: 'abcdefgh',
      keyId: 'k',
      algorithm: undefined,
      serialized: `${COVERED};created=1618884473;nonce="abcdefgh";keyid="k"`,
      bytes: new Uint8Array([0, 1, 2]),
    });
    const other = `x=( "@method"   "@target-uri" ); keyid="k";alg="ed25519";nonce="abcdefgh";expires=2;created=1;tag="t"`;
    expect(readSignature(other, 'x=:AA==:')).toMatchObject({
      algorithm: 'ed25519',
      expires: 2,
      serialized:
        '("@method" "@target-uri");keyid="k";alg="ed25519";nonce="abcdefgh";expires=2;created=1;tag="t"',
    });
  });

  it.each<[string, string, string]>([
    ['nothing', '', ''],
    ['no signature', INPUT, ''],
    ['no input', '', SIGNATURE],
    ['no structured field', 'sig=(', SIGNATURE],
    ['another label', INPUT, 'other=:AAEC:'],
    ['two inputs', `${INPUT}, b=();created=1`, SIGNATURE],
    ['two signatures', INPUT, `${SIGNATURE}, b=:AAEC:`],
    ['a signature that is a string', INPUT, 'sig="AAEC"'],
    ['a signature that is a list', INPUT, 'sig=(:AAEC:)'],
    ['an input that is an item', 'sig="x";created=1', SIGNATURE],
    ['a component twice', INPUT.replace('"@target-uri"', '"@method"'), SIGNATURE],
    ['more than 2048 characters', INPUT.replace('"@method"', `"@method" "${'x'.repeat(2048)}"`), SIGNATURE],
    ['a component with a parameter', INPUT.replace('"@method"', '"@method";req'), SIGNATURE],
    ['a component that is a token', INPUT.replace('"@method"', 'method'), SIGNATURE],
    ['no time', INPUT.replace(';created=1618884473', ''), SIGNATURE],
    ['a time that is text', INPUT.replace('1618884473', '"1618884473"'), SIGNATURE],
    ['a fraction of a time', INPUT.replace('1618884473', '1618884473.5'), SIGNATURE],
    ['no nonce', INPUT.replace(';nonce="abcdefgh"', ''), SIGNATURE],
    ['a short nonce', INPUT.replace('abcdefgh', 'abcdefg'), SIGNATURE],
    ['a long nonce', INPUT.replace('abcdefgh', 'a'.repeat(129)), SIGNATURE],
    ['a nonce with a space', INPUT.replace('abcdefgh', 'abcd efgh'), SIGNATURE],
    ['no key', INPUT.replace(';keyid="k"', ''), SIGNATURE],
    ['another key', INPUT.replace('"k"', '"../k"'), SIGNATURE],
    ['an unknown parameter', `${INPUT};x=1`, SIGNATURE],
    ['an algorithm that is a token', `${INPUT};alg=ed25519`, SIGNATURE],
    ['an end that is text', `${INPUT};expires="1"`, SIGNATURE],
    ['1 MB', `${INPUT};tag="${'x'.repeat(1_000_000)}"`, `sig=:${'A'.repeat(999_999)}`],
  ])('refuses %s', (_what, input, signature) => {
    expect(readSignature(input, signature)).toBeUndefined();
  });
});
