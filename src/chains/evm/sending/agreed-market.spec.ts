import { FakeEndpoints } from '../../../../test/support/fake-endpoints';
import { RpcUnavailableError } from '../../rpc/endpoint-error';
import { AgreedMarket } from './agreed-market';
import { readFeeMarket } from './fee-market';
import { feeSettingsOf } from './fee-settings';

const LIE = 10 ** 12;
const hex = (number: number): string => `0x${number.toString(16)}`;

/** Endpoints that report these tips and base fees, and gas prices that are 100 wei above the tips unless given. */
async function start(tips: (number | 'silent')[], baseFees: readonly number[] = [], gasPrice?: number) {
  const time = { now: 0 };
  const endpoints = new FakeEndpoints(
    tips.map((first, i) =>
      first === 'silent'
        ? first
        : (method) => {
            const tip = Number(tips[i]);
            if (method === 'eth_gasPrice') return { result: hex(gasPrice ?? 100 + tip) };
            const reward = [[tip, tip, tip, tip].map(hex)];
            const baseFee = hex(baseFees[i] ?? 100);
            return { result: { oldestBlock: '0x5', baseFeePerGas: [baseFee, baseFee], reward } };
          },
    ),
  );
  await endpoints.pool.verify(0);
  const market = new AgreedMarket(
    endpoints.pool,
    (one) => readFeeMarket(one, feeSettingsOf('1', {})),
    () => time.now,
  );
  /** The tip that is accepted if this endpoint is chosen. */
  const ask = async (endpoint: number): Promise<number> => {
    endpoints.chosen = endpoint;
    return Number((await market.read()).tips.fast);
  };
  const calls = (): number => endpoints.count('eth_feeHistory');
  const silence = (...silent: number[]): void => {
    for (const i of silent) endpoints.nodes.set(`https://${i}.example`, 'connection');
  };
  return { tips, time, ask, calls, silence };
}

describe('AgreedMarket', () => {
  it.each<[(number | 'silent')[], number]>([
    [[LIE], LIE],
    [[LIE, 7], 7],
    [[7, LIE, 8], 8],
    [[LIE, 'silent', 7], 7],
    [[1, 7, 8, LIE], 7],
  ])('for the tips %j returns %d, whichever endpoint is called first', async (tips, agreed) => {
    for (const i of tips.keys()) expect(await (await start(tips)).ask(i)).toBe(agreed);
  });

  it('reads one endpoint while its tip is near the agreed one', async () => {
    const { tips, ask, calls } = await start([7, 7, 7]);
    await ask(0);
    const before = calls();
    tips[1] = 90;
    expect(await ask(1)).toBe(90);
    expect(calls()).toBe(before + 1);
  });

  it('reads all endpoints if one reports a much higher tip', async () => {
    const { tips, ask } = await start([7, 7, 7]);
    await ask(0);
    tips[1] = LIE;
    expect(await ask(1)).toBe(7);
    tips.fill(LIE);
    expect(await ask(2)).toBe(LIE);
  });

  it('cannot be raised step by step by one endpoint', async () => {
    const { tips, time, ask } = await start([7, 7, 7]);
    let highest = 0;
    for (let tip = 7; tip < LIE; tip *= 1.5) {
      tips[1] = Math.floor(tip);
      time.now += 60_000;
      highest = Math.max(highest, await ask(1));
    }
    // Twice the price of the other endpoints: 2 × (100 + 7).
    expect(highest).toBeLessThanOrEqual(214);
  });

  it.each([2, 3])(
    'does not accept a high tip with a low base fee from one of %d endpoints',
    async (count) => {
      const baseFees = Array<number>(count).fill(100);
      const { tips, ask, calls } = await start(Array<number>(count).fill(7), baseFees, 107);
      await ask(0);
      // The offer is 2 × 1 + 412, which is twice as much as before, and all of it is paid.
      baseFees[1] = 1;
      tips[1] = 412;
      expect(await ask(1)).toBe(7);
      // With a base fee of 100, 214 is paid. Above that, the other endpoints are called as well.
      const before = calls();
      tips[1] = 114;
      expect(await ask(1)).toBe(114);
      expect(calls()).toBe(before + 1);
      tips[1] = 115;
      await ask(1);
      expect(calls()).toBe(before + 2 + count);
    },
  );

  it('accepts no price that is far from those agreed before while fewer than half respond', async () => {
    const { tips, time, ask, silence } = await start([7, 7, 7]);
    await ask(0);
    silence(0, 1);
    time.now += 3_600_000;
    tips[2] = 90;
    expect(await ask(2)).toBe(90);
    time.now += 3_600_000;
    tips[2] = LIE;
    await expect(ask(2)).rejects.toThrow(RpcUnavailableError);
  });

  it('accepts no price if fewer than half respond, and none was agreed before', async () => {
    const { ask } = await start(['silent', 7, 'silent']);
    await expect(ask(1)).rejects.toThrow(RpcUnavailableError);
  });

  it('throws RpcUnavailableError if no endpoint responds', async () => {
    const { ask } = await start(['silent', 'silent']);
    await expect(ask(0)).rejects.toThrow(RpcUnavailableError);
  });
});
