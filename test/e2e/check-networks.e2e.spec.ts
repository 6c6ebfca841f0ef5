import { type CheckResult, ChainCheck } from '../../src/relayers/checks/chain-check';
import { CHAIN_ID, CheckedRelayers, QUICK } from '../support/checked-relayers';
import { describeService } from '../support/describe-service';
import { until } from '../support/private-servers';
import { ScriptedNode } from '../support/scripted-node';

const HANGING = 60;
/** The most checks of one network in progress, however many of its relayers are due. */
const MOST_OF_ONE_NETWORK = 16;

describeService(
  'Checks while a network hangs',
  { checks: { ...QUICK, firstCheckMs: 100 }, startFor: 'test' },
  ({ service }) => {
    let relayers: CheckedRelayers;
    let node: ScriptedNode;
    /** Relayers of the network `hung` that were checked since it began to hang. */
    let checked: Set<string>;
    let hang: () => void;
    let release: () => void;

    beforeEach(async () => {
      node = await ScriptedNode.start(CHAIN_ID);
      relayers = new CheckedRelayers(service);
      await relayers.prepare([node.url]);
      const network = {
        name: 'hung',
        network_type: 'evm',
        chain_id: CHAIN_ID,
        rpc_urls: [`${node.url}/hung`],
      };
      expect((await service.post('/api/v1/networks', network)).status).toBe(201);
      checked = new Set();
      // Stands for endpoints that do not respond until the test releases them.
      let response: Promise<CheckResult> | undefined;
      hang = () => {
        checked.clear();
        response = new Promise((resolve) => {
          release = () => {
            response = undefined;
            resolve({ reasons: [], balance: undefined });
          };
        });
      };
      const chainCheck = service.app.get(ChainCheck);
      const run = chainCheck.run.bind(chainCheck);
      jest.spyOn(chainCheck, 'run').mockImplementation((relayer) => {
        if (relayer.network !== 'hung') return run(relayer);
        checked.add(relayer.id);
        return response ?? run(relayer);
      });
    });

    afterEach(async () => {
      release();
      await node.stop();
    });

    const makeMany = () =>
      Promise.all(Array.from({ length: HANGING }, () => relayers.make({ network: 'hung' })));

    async function expectChecksOf(id: string): Promise<void> {
      node.be({ eth_getBalance: '0x0' });
      await relayers.until(id, 'BalanceCheckFailed');
      node.be({});
      await relayers.until(id, undefined);
    }

    it('continue for all other networks, even if many relayers are created on it, and reach all of those later', async () => {
      hang();
      await makeMany();
      const { id } = await relayers.make();
      await expectChecksOf(id);
      release();
      await until('the checks of all', () => checked.size === HANGING);
    });

    it('stay within the limit of the network if many are due at once, and leave the rest due', async () => {
      const { id } = await relayers.make();
      await makeMany();
      hang();
      await until('checks that hang', () => checked.size >= MOST_OF_ONE_NETWORK);
      await expectChecksOf(id);
      expect(checked.size).toBe(MOST_OF_ONE_NETWORK);
      release();
      await until('the checks of all', () => checked.size === HANGING);
    });
  },
);
