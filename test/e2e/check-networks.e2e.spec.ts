import { type CheckResult, ChainCheck } from '../../src/relayers/checks/chain-check';
import { TestApplication } from '../support/application';
import { CHAIN_ID, CheckedRelayers, QUICK } from '../support/checked-relayers';
import { describeOnDatabases, type TestDatabase } from '../support/databases';
import { until } from '../support/private-servers.cjs';
import { ScriptedNode } from '../support/scripted-node.cjs';

const HANGING = 60;
/** A network that has 16 under way is passed over, and up to 20 are claimed together. */
const MOST_OF_ONE_NETWORK = 35;

describeOnDatabases('Checks beside a network that hangs', (createDatabase) => {
  let database: TestDatabase;
  let service: TestApplication;
  let relayers: CheckedRelayers;
  let node: ScriptedNode;
  /** Relayers of the network `hung` that were checked. */
  let asked: Set<string>;
  let release: () => void;

  beforeEach(async () => {
    database = await createDatabase();
    node = await ScriptedNode.start(CHAIN_ID);
    service = await TestApplication.start(database, {}, undefined, { ...QUICK, firstCheckMs: 100 });
    relayers = new CheckedRelayers(service);
    await relayers.prepare([node.url]);
    const network = { name: 'hung', network_type: 'evm', chain_id: CHAIN_ID, rpc_urls: [`${node.url}/hung`] };
    expect((await service.post('/api/v1/networks', network)).status).toBe(201);
    // Stands for endpoints that swallow everything, for as long as the test wants it.
    asked = new Set();
    const hang = new Promise<CheckResult>((resolve) => {
      release = () => {
        resolve({ reasons: [], balance: undefined });
      };
    });
    const chainCheck = service.app.get(ChainCheck);
    const run = chainCheck.run.bind(chainCheck);
    jest.spyOn(chainCheck, 'run').mockImplementation((relayer) => {
      if (relayer.network !== 'hung') return run(relayer);
      asked.add(relayer.id);
      return hang;
    });
  });

  afterEach(async () => {
    release();
    await service.close();
    await node.stop();
    await database.drop();
  });

  it('go on for all other networks, also when many relayers are on it, and come to each of those later', async () => {
    await Promise.all(Array.from({ length: HANGING }, () => relayers.make({ network: 'hung' })));
    const { id } = await relayers.make();
    node.be({ eth_getBalance: '0x0' });
    await relayers.until(id, 'BalanceCheckFailed');
    node.be({});
    await relayers.until(id, undefined);
    expect(asked.size).toBeLessThanOrEqual(MOST_OF_ONE_NETWORK);
    release();
    await until('the checks of all', () => asked.size === HANGING);
  });
});
