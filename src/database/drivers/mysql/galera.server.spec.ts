import { existsSync } from 'node:fs';
import type { DataSource } from 'typeorm';
import { describeWithMariaDb, SERVER } from '../../../../test/support/databases';
import { freePort, PrivateMariaDb } from '../../../../test/support/private-servers';
import { SwitchingProxy } from '../../../../test/support/switching-proxy';
import { parseDatabaseUrl } from '../../../config/database-url';
import { assertWritable } from '../../assert-writable';
import { createDataSource, dataSourceOptions } from '../../data-source';
import { driverCodeOf } from '../driver-errors';

const PROVIDER = '/usr/lib/galera/libgalera_smm.so';
const NOT_IN_USE = 'ER_UNKNOWN_COM_ERROR';

const describeWithGalera =
  SERVER.name === 'MariaDB' && existsSync(PROVIDER) ? describeWithMariaDb : describe.skip;

describeWithGalera('A node of a Galera cluster that refuses queries', () => {
  let node: PrivateMariaDb;
  let other: PrivateMariaDb;
  let proxy: SwitchingProxy;
  let dataSource: DataSource;

  const codeOf = (work: Promise<unknown>): Promise<string> => work.then(() => 'none', driverCodeOf);
  const read = (): Promise<unknown> => dataSource.query('SELECT name FROM things');

  beforeAll(async () => {
    const address = `127.0.0.1:${await freePort()}`;
    node = await PrivateMariaDb.create({
      parameters: [
        '--wsrep-on=ON',
        `--wsrep-provider=${PROVIDER}`,
        '--wsrep-cluster-address=gcomm://',
        `--wsrep-node-address=${address}`,
        `--wsrep-provider-options=gmcast.listen_addr=tcp://${address};gcache.size=1M`,
        '--binlog-format=ROW',
        '--innodb-autoinc-lock-mode=2',
      ],
    });
    other = await PrivateMariaDb.create();
    proxy = await SwitchingProxy.create(await node.createRelayer());
    await other.createRelayer();
    for (const server of [node, other])
      await server.administer('CREATE TABLE relayer.things (name varchar(9))');
    dataSource = await createDataSource(dataSourceOptions(parseDatabaseUrl(proxy.url), [])).initialize();
  });

  afterAll(async () => {
    await dataSource.destroy();
    await proxy.destroy();
    await other.destroy();
    await node.destroy();
  });

  it('is not ready, and its connections are closed, so that the next reach another node', async () => {
    await assertWritable(dataSource);
    expect(await read()).toEqual([]);
    await node.administer('SET GLOBAL wsrep_reject_queries = ALL');
    expect(await codeOf(assertWritable(dataSource))).toBe(NOT_IN_USE);
    expect(await codeOf(read())).toBe(NOT_IN_USE);

    await node.administer('SET GLOBAL wsrep_reject_queries = NONE');
    expect(await read()).toEqual([]);
    await node.administer('SET GLOBAL wsrep_reject_queries = ALL');
    proxy.leadTo(other.port);
    expect(await codeOf(read())).toBe(NOT_IN_USE);
    expect(await read()).toEqual([]);
    await assertWritable(dataSource);
  });
});
