import { SigningApi, type TransactionRequest, TransactionsApi } from '../../src/public';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';

const TO = `0x${'35'.repeat(20)}`;

describeService('Requests of ports', { onlySqlite: true }, ({ service }) => {
  const port = <T>(token: abstract new () => T): T => service.app.get<T>(token, { strict: false });
  const send = (request: TransactionRequest) => port(TransactionsApi).submit('sender', request);
  const sign = (request: object) => port(SigningApi).signTransaction('sender', request);

  beforeAll(() => addRelayer(service, { id: 'sender' }));

  it('may have amounts as bigints', async () => {
    const transaction = { type: 0, chain_id: 11_155_111, nonce: 9, gas_limit: 21_000, to: TO };
    const signed = await sign({ ...transaction, gas_price: 10n ** 9n, value: 10n ** 18n });
    const texts = { gas_price: '1000000000', value: '1000000000000000000' };
    expect(signed).toEqual(await sign({ ...transaction, ...texts }));
    const request = { to: TO, value: 1n, speed: 'fast' };
    expect(await send(request)).toMatchObject({ transaction: { value: '0x1' } });
    const batch = await port(TransactionsApi).submitBatch('sender', { transactions: [request] });
    expect(batch).toMatchObject([{ transaction: { value: '0x1' } }]);
  });

  it('may not have misspelt members, nor another form', async () => {
    // @ts-expect-error it does not compile
    const misspelt = send({ to: TO, value: 1n, speed: 'fast', gas_limt: 1n });
    await expect(misspelt).rejects.toMatchObject({ code: 'invalid_request' });
    const requests = 'x' as unknown as unknown[];
    await expect(port(SigningApi).signTypedDataBatch('sender', requests)).rejects.toMatchObject({
      code: 'invalid_request',
      detail: 'requests must be an array',
    });
  });
});
