import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { Secret } from '../../src/common/secrets/secret';
import { isRetryable } from '../../src/database/drivers/driver-errors';
import { NetworksService } from '../../src/networks/networks.service';
import { networkId, toNewNetwork } from '../../src/networks/new-network';
import type { NewRelayer } from '../../src/relayers/new-relayer';
import { RelayerChangesService } from '../../src/relayers/relayer-changes.service';
import { SignerPreparation } from '../../src/signers/opening/signer-preparation';
import { SignersService } from '../../src/signers/signers.service';
import type { TestApplication } from './application';

/** keccak256("cow"), the private key in the EIP-712 example. */
export const COW_KEY = 'c85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4';
export const COW_ADDRESS = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826';

let made = 0;

/** Stores a relayer with a signer of its own, using defaults for everything the test does not specify. */
export async function addRelayer(
  application: TestApplication,
  wanted: Partial<NewRelayer> & { privateKey?: string } = {},
): Promise<NewRelayer> {
  const { privateKey = randomBytes(32).toString('hex'), ...fields } = wanted;
  application.keepSecret(privateKey);
  const number = (made += 1);
  const networkType = fields.networkType ?? 'evm';
  const signers = application.app.get(SignersService);
  const preparation = application.app.get(SignerPreparation);
  const signer = await preparation.prove('local', { settings: {}, secret: new Secret(privateKey) });
  const relayer: NewRelayer = {
    id: `relayer-${number}`,
    name: `Relayer ${number}`,
    group: null,
    network: 'sepolia',
    networkType,
    address: await preparation.addressOf(signer, networkType),
    signerId: `signer-${number}`,
    notificationId: null,
    paused: false,
    customRpcUrls: null,
    policies: {},
    ...fields,
  };
  if (!(await signers.find(relayer.signerId))) await signers.create(relayer.signerId, signer);
  await ensureNetwork(application, relayer);
  await application.app.get(RelayerChangesService).create(relayer);
  return relayer;
}

async function ensureNetwork(application: TestApplication, relayer: NewRelayer): Promise<void> {
  const { networkType, network } = relayer;
  const networks = application.app.get(NetworksService);
  if (await networks.find(networkId(networkType, network))) return;
  const fields = networkType === 'evm' ? { chain_id: 424_242 } : {};
  await networks.create([toNewNetwork(networkType, network, fields)]);
}

/**
 * Deletes everything that users have created, except networks: a suite that does this after each test needs to start
 * the service only once.
 */
export async function emptyTables(application: TestApplication): Promise<void> {
  for (const table of [
    ...['delivery_attempts', 'deliveries', 'relayers', 'former_accounts', 'signers', 'notifications'],
  ])
    await deleteAll(application.app.get(DataSource), table);
}

/** The service works in the background, and the database may end a deletion in favour of it. */
async function deleteAll(dataSource: DataSource, table: string, attempts = 10): Promise<void> {
  try {
    await dataSource.query(`DELETE FROM ${table}`);
  } catch (error) {
    if (attempts <= 1 || !isRetryable(error)) throw error;
    await deleteAll(dataSource, table, attempts - 1);
  }
}
