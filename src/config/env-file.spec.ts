import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isProduction, readEnvFile } from './env-file';

describe('readEnvFile', () => {
  const home = process.cwd();
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'env-file-'));
    process.chdir(directory);
  });

  afterEach(() => {
    process.chdir(home);
    rmSync(directory, { recursive: true });
  });

  it.each([
    ['lines', 'NODE_ENV=production\nPORT=8080\n'],
    ['lines of Windows', 'NODE_ENV=production\r\nPORT=8080\r\n'],
    ['a byte order mark, as Windows editors write it', '\uFEFFNODE_ENV=production\nPORT=8080\n'],
  ])('reads %s', (_title, text) => {
    writeFileSync('.env', text);
    expect(readEnvFile()).toEqual({ NODE_ENV: 'production', PORT: '8080' });
  });

  it('returns an empty object without a file', () => {
    expect(readEnvFile()).toEqual({});
  });

  it('reads comments, values in quotes and `export` as node:util does', () => {
    writeFileSync('.env', ' # a=1\n  # b\nexport A = "1\n# 2=3"\nB=\n\nC=x # y\nD=it\'s\nE=`"`');
    expect(readEnvFile()).toEqual({ A: '1\n# 2=3', B: '', C: 'x', D: "it's", E: '"' });
  });

  it.each([
    ['settings of the relayer\nNODE_ENV=production\n', 1],
    ['# comment\nPORT=8080\r\nNODE_ENV\r\nHOST=::\r\n', 3],
    ['PORT=8080\nNODE_ENV', 2],
    ['KEY="a\nb"\n\nNODE_ENV: production\n', 4],
    ['=8080\nNODE_ENV=production\n', 1],
    ['NODE ENV=production\n', 1],
    ['export  NODE_ENV=production\n', 1],
    ['export\tNODE_ENV=production\n', 1],
    ['EXPORT NODE_ENV=production\n', 1],
    ['PORT=8080\n\tNODE_ENV=production\n', 2],
  ])('refuses a line without a name and a value: %j', (text, line) => {
    writeFileSync('.env', text);
    const faults = [`.env line ${line} is not NAME=value`];
    expect(() => readEnvFile()).toThrow(expect.objectContaining({ faults }));
  });

  it.each([
    ['API_KEY=abc#def\n', 1],
    ['PORT=8080\nAPI_KEY=abc# def\n', 2],
    ['API_KEY=#abc\n', 1],
    ['APPROVALS="unpause=1",signer_delete=2\n', 1],
    ['API_KEY="abc"#def\n', 1],
    ['API_KEY="a\\"b"\n', 1],
    ['API_KEY="abc\nPORT=8080\n', 1],
    ["PORT=8080\nAPI_KEY='abc\nAPPROVALS=unpause=1\nHOST='::'\n", 2],
    ['API_KEY="abc\nexport APPROVALS = \'unpause=1\'\nHOST="::"\n', 1],
    ['API_KEY="abc\nAPPROVALS="unpause=1"\n', 1],
  ])('refuses a value of which a part, or the next setting, would be lost: %j', (text, line) => {
    writeFileSync('.env', text);
    const faults = [
      `.env line ${line} has an ambiguous value: one with # needs quotes, which must end before a comment or a line ` +
        'NAME=value',
    ];
    expect(() => readEnvFile()).toThrow(expect.objectContaining({ faults }));
  });

  it('reads keys, certificates and passwords', () => {
    const pem = '-----BEGIN KEY-----\nQWxhZGRpbg==\nYWI=\n-----END KEY-----';
    writeFileSync(
      '.env',
      `A=c2VjcmV0LWtleQ==\nB="${pem}"\nC="ab\nYWI="\nD='a#b"c' # d\nE=a'b"c #d\nF=x=1,y=2 \nG= # h\nH="" `,
    );
    expect(readEnvFile()).toEqual({
      A: 'c2VjcmV0LWtleQ==',
      B: pem,
      C: 'ab\nYWI=',
      D: 'a#b"c',
      E: 'a\'b"c',
      F: 'x=1,y=2',
      G: '',
      H: '',
    });
  });

  it('throws if the file exists but cannot be read', () => {
    mkdirSync('.env');
    expect(() => readEnvFile()).toThrow(expect.objectContaining({ faults: ['.env cannot be read'] }));
  });
});

describe('isProduction', () => {
  it.each(['production', ' production\n', 'Production', 'PRODUCTION'])('is true for %j', (NODE_ENV) => {
    expect(isProduction({ NODE_ENV })).toBe(true);
  });

  it.each([undefined, '', ' ', 'development', 'test', 'productions'])('is false for %j', (NODE_ENV) => {
    expect(isProduction({ NODE_ENV })).toBe(false);
  });
});
