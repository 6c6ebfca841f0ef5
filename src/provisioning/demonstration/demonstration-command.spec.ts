import { demonstrationCommand } from './demonstration-command';

const BODY =
  '{"domain_separator":"0xf2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f","hash_struct_message":"0xc52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e"}';

describe('demonstrationCommand', () => {
  it('is a one-line command that signs the EIP-712 example with the demonstration relayer', () => {
    expect(demonstrationCommand('http://127.0.0.1:8080', 'dGVzdA==')).toBe(
      [
        'curl -sS -X POST http://127.0.0.1:8080/api/v1/relayers/demo/sign-typed-data',
        '-H "Authorization: Bearer dGVzdA=="',
        '-H "Content-Type: application/json"',
        `-d '${BODY}'`,
      ].join(' '),
    );
  });

  it('leaves a shell variable for the shell to expand', () => {
    expect(demonstrationCommand('http://127.0.0.1:1', '$API_KEY')).toContain(
      '"Authorization: Bearer $API_KEY"',
    );
  });
});
