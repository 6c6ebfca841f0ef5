/**
 * Measures the cost of a relayer's MAC for a signature: the rows of the bench's relayers, as the driver returns them,
 * are converted to entities with and without a check, in a bare loop.
 */
import { PROTECTED_TABLES } from '../src/app/protected-tables';
import { ENTITIES } from '../src/app/entities';
import { RowMacs } from '../src/secrets/row-macs';
import { Secret } from '../src/common/secrets/secret';
import { createDataSource, dataSourceOptions } from '../src/database/data-source';
import { ProtectedColumns } from '../src/database/integrity/protected-columns';
import { type RawRow, RowColumns } from '../src/database/integrity/row-columns';
import { VerifiedRows } from '../src/database/integrity/verified-rows';
import { ACTING_PROPERTIES, RELAYER_PROTECTION, RelayerEntity } from '../src/relayers/relayer.entity';

/** One way of converting a row from the driver to an entity. */
type Read = (raw: RawRow) => unknown;

const ROWS = 10;
const WARM_UP_SECONDS = 0.5;
const KEY = new Secret(Buffer.alloc(32, 7).toString('base64'));

/** A whitelist of five receivers, limits, two allowed types: about what a careful operator configures. */
const POLICIES = {
  min_balance: '100000000000000000',
  gas_price_cap: 100_000_000_000,
  whitelist_receivers: Array.from({ length: 5 }, (_, i) => `0x${String(i).repeat(40)}`),
  typed_data: {
    allow_blind_hashes: true,
    allowed: [
      { primary_type: 'Mail', verifying_contract: `0x${'c'.repeat(40)}` },
      { primary_type: 'Permit', verifying_contract: `0x${'d'.repeat(40)}` },
    ],
  },
};

/** Microseconds of CPU time per row for each way: the best of `rounds`. */
async function measureRowMacs(rounds: number, seconds: number): Promise<Record<string, number>> {
  const options = dataSourceOptions({ type: 'sqlite', file: ':memory:' }, ENTITIES);
  const dataSource = await createDataSource(options).initialize();
  const metadata = dataSource.getMetadata(RelayerEntity);
  const macs = new RowMacs([KEY], PROTECTED_TABLES);
  const protection = new ProtectedColumns(metadata, RELAYER_PROTECTION);
  const plain = new RowColumns<RelayerEntity>(metadata, ACTING_PROPERTIES);
  const columns = new RowColumns<RelayerEntity>(metadata, [...ACTING_PROPERTIES, ...protection.properties]);
  const rows = Array.from({ length: ROWS }, (_, i) => createRow(i, columns, protection, macs));
  const check = (raw: RawRow): RelayerEntity => {
    const row = columns.entityOf(raw);
    if (macs.check('relayers', protection.contentOf(row), raw.mac as string) !== 'intact')
      throw new Error('Not intact');
    return row;
  };
  const verified = new VerifiedRows<RelayerEntity>();
  for (const raw of rows) verified.add(raw, check(raw), columns);
  const ways: Record<string, Read> = {
    'read, no check': (raw) => plain.entityOf(raw),
    'read and check, row not seen before': check,
    'read and check, row unchanged': (raw) => {
      if (!verified.find(raw, columns)) throw new Error('Not known');
    },
  };
  const best: Record<string, number> = {};
  for (let round = 0; round < rounds; round += 1)
    for (const [name, run] of Object.entries(ways)) {
      if (round === 0) microsecondsOf(run, rows, WARM_UP_SECONDS);
      best[name] = Math.min(best[name] ?? Infinity, microsecondsOf(run, rows, seconds));
    }
  await dataSource.destroy();
  return best;
}

function createRow(
  i: number,
  columns: RowColumns<RelayerEntity>,
  protection: ProtectedColumns,
  macs: RowMacs,
): RawRow {
  const raw = {
    id: `relayer-${i}`,
    name: `Relayer ${i}`,
    network: 'sepolia',
    network_type: 'evm',
    address: `0x${String(i).repeat(40)}`,
    signer_id: `signer-${i}`,
    notification_id: null,
    paused: 0,
    system_disabled: 0,
    custom_rpc_urls: null,
    policies: JSON.stringify(POLICIES),
  };
  return { ...raw, mac: macs.compute('relayers', protection.contentOf(columns.entityOf(raw))) };
}

/** Microseconds of this process's CPU time per row, measured over about `seconds` of it. */
function microsecondsOf(run: Read, rows: RawRow[], seconds: number): number {
  const start = process.cpuUsage();
  let count = 0;
  let spent = 0;
  while (spent < seconds * 1e6) {
    for (let i = 0; i < 100; i += 1) for (const raw of rows) run(raw);
    count += 100 * rows.length;
    const { user, system } = process.cpuUsage(start);
    spent = user + system;
  }
  return spent / count;
}

/**
 * Prints the cost that a check adds to reading a relayer, and its share of a signature.
 *
 * @param requestMicroseconds CPU time of one request that signs by hashes, if it was measured
 */
export async function rowMacs({
  rounds,
  seconds = 1,
  requestMicroseconds,
}: {
  rounds: number;
  seconds?: number;
  requestMicroseconds?: number;
}): Promise<Record<string, number>> {
  const best = await measureRowMacs(rounds, seconds);
  const unchecked = best['read, no check']!;
  console.log('\nMAC of a relayer, CPU µs per signature');
  for (const [name, microseconds] of Object.entries(best)) {
    const added = microseconds - unchecked;
    const share = requestMicroseconds
      ? `, ${((100 * added) / requestMicroseconds).toFixed(1)} % of signing by hashes`
      : '';
    console.log(
      `  ${name.padEnd(38)} ${microseconds.toFixed(2)} (${added < 0 ? '' : '+'}${added.toFixed(2)}${share})`,
    );
  }
  return best;
}
