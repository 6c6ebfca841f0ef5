import { hashMessage, recoverAddress, Wallet } from 'ethers';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';

/** The account in the `eth.accounts.sign` example of web3.js. */
const KEY = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318';
const ADDRESS = '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23';

describeService('Signing messages', ({ service }) => {
  beforeAll(async () => {
    await addRelayer(service, { id: 'signer', privateKey: KEY });
  });

  const sign = (body: unknown, id = 'signer') => service.post(`/api/v1/relayers/${id}/sign`, body);

  it('signs the published example with the published signature', async () => {
    const response = await sign({ message: 'Some data' });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      success: true,
      data: {
        r: 'b91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd',
        s: '6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a029',
        v: 28,
        sig: 'b91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c',
      },
      error: null,
    });
  });

  it.each<[object, string | Uint8Array]>([
    [{ message: '' }, ''],
    [{ message: '漢字 👩‍👩‍👧 \u0000\n' }, '漢字 👩‍👩‍👧 \u0000\n'],
    [{ message: '0xdeadbeef', encoding: 'utf8' }, '0xdeadbeef'],
    [{ message: '0xDEADbeef', encoding: 'hex' }, Uint8Array.of(0xde, 0xad, 0xbe, 0xef)],
    [{ message: 'deadbeef', encoding: 'hex' }, Uint8Array.of(0xde, 0xad, 0xbe, 0xef)],
    [{ message: '', encoding: 'hex' }, ''],
    [{ message: 'x'.repeat(262_144) }, 'x'.repeat(262_144)],
    [{ message: 'ff'.repeat(262_144), encoding: 'hex' }, new Uint8Array(262_144).fill(0xff)],
  ])('signs %.80j as ethers does', async (body, message) => {
    const { data } = (await sign(body)).body;
    expect(`0x${data.sig}`).toBe(await new Wallet(`0x${KEY}`).signMessage(message));
    expect(recoverAddress(hashMessage(message), `0x${data.sig}`)).toBe(ADDRESS);
  });

  it.each<[unknown, string]>([
    [{}, 'message must be a string'],
    [{ message: null }, 'message must be a string'],
    [{ message: 5 }, 'message must be a string'],
    [{ message: ['a'] }, 'message must be a string'],
    [{ message: 'a', encoding: 'base64' }, 'encoding must be one of utf8, hex'],
    [{ message: 'a', encoding: null }, 'encoding must be one of utf8, hex'],
    [{ message: 'a', version: '0x45' }, 'version is not a known field'],
    [{ message: 'abc', encoding: 'hex' }, 'message must be an even number of hex digits (optional 0x)'],
    [{ message: 'hello!', encoding: 'hex' }, 'message must be an even number of hex digits (optional 0x)'],
    [{ message: 'x'.repeat(262_145) }, 'message must not exceed 262144 bytes'],
    ['{"message":"\\ud800"}', 'message holds an unpaired surrogate'],
  ])('refuses %.80j', async (body, error) => {
    const response = await sign(body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual({ success: false, data: null, error, message: 'Bad Request' });
  });

  it('refuses unknown relayers, paused relayers, and relayers that are not on an EVM network', async () => {
    await addRelayer(service, { id: 'paused', paused: true });
    await addRelayer(service, { id: 'solana', networkType: 'solana' });
    const responses = await Promise.all(
      ['nobody', 'paused', 'solana'].map((id) => sign({ message: 'a' }, id)),
    );
    expect(responses.map(({ status, body }) => [status, body.error])).toEqual([
      [404, 'Relayer with ID nobody not found'],
      [403, 'Relayer paused'],
      [400, 'a relayer of network type solana cannot sign messages'],
    ]);
  });
});
