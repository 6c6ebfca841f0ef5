import { DomainError, invalidRequest } from '../common/errors/domain-error';
import { isObject } from '../common/validation/json-object';
import type { AppConfig } from '../config/app-config';
import { BUILT_IN_NETWORKS } from '../networks/built-in-networks';
import { networkId } from '../networks/new-network';
import { signingKeyFault } from '../notifications/signing-key';
import type { ConfigFile } from '../provisioning/file/config-file';
import type {
  ConfiguredNotificationDto,
  ConfiguredRelayerDto,
  ConfiguredSignerDto,
} from '../provisioning/file/config-file.dto';
import { secretSources } from '../provisioning/file/secret-sources';
import { parsePolicies } from '../relayers/policies/policies';
import { assertTopUpFromAnother } from '../relayers/policies/top-up-source';
import type { SignerSources } from '../signers/signer-provider';
import { type Finding, ok, problem } from './finding';

const CHECK = 'configuration file';

/** Tells whether an item is stored. */
interface Stored {
  exists(id: string): Promise<boolean>;
}

/** What the database has. A start neither creates an item that is stored nor reads the secrets of the file for it. */
export type StoredItems = Record<'signers' | 'notifications' | 'networks' | 'relayers', Stored>;

const none: Stored = { exists: () => Promise.resolve(false) };

/** A database before the first start. */
export const NOTHING_STORED: StoredItems = {
  signers: none,
  notifications: none,
  networks: none,
  relayers: none,
};

/**
 * Checks whether the variables, files and other items that new items of the configuration file name exist, and their
 * policies. It opens no keys and calls no key service.
 */
export async function checkConfiguredItems(
  file: ConfigFile,
  { secretVariable }: Pick<AppConfig, 'secretVariable'>,
  stored: StoredItems,
): Promise<Finding[]> {
  const faults: string[] = [];
  const check = async (place: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      faults.push(`CONFIG_FILE ${place}: ${error.detail}`);
    }
  };
  const sources = secretSources(file.path, secretVariable);
  for (const [i, signer] of file.signers.entries())
    await check(`signers[${i}]`, () => checkSigner(signer, sources, stored));
  for (const [i, notification] of file.notifications.entries())
    await check(`notifications[${i}]`, () => checkNotification(notification, sources, stored));
  for (const [i, relayer] of file.relayers.entries())
    await check(`relayers[${i}]`, () => checkRelayer(relayer, file, stored));
  if (faults.length === 0)
    return [ok(CHECK, 'variables, files and items that it names exist; only a start opens new keys')];
  const advice = 'Set the variable, put the file there or correct CONFIG_FILE: a start would fail.';
  return faults.map((fault) => problem(CHECK, fault, advice));
}

async function checkSigner(
  { id, type, config }: ConfiguredSignerDto,
  sources: SignerSources,
  stored: StoredItems,
): Promise<void> {
  if (await stored.signers.exists(id)) return;
  resolveVariables(config, 'config', sources);
  const { path } = config as { path?: unknown };
  if (type === 'local' && typeof path === 'string') await sources.file(path);
}

/** Resolves every `{type: "env"}`, wherever a kind of signer has its secrets. */
function resolveVariables(value: unknown, field: string, sources: SignerSources): void {
  if (!isObject(value)) return;
  if (value.type === 'env' && typeof value.value === 'string') sources.secret(value, field).destroy();
  else
    for (const [name, member] of Object.entries(value)) resolveVariables(member, `${field}.${name}`, sources);
}

async function checkNotification(
  { id, signing_key: reference }: ConfiguredNotificationDto,
  sources: SignerSources,
  stored: StoredItems,
): Promise<void> {
  if (!reference || (await stored.notifications.exists(id))) return;
  const key = sources.secret(reference, 'signing_key');
  const fault = signingKeyFault(key.reveal());
  key.destroy();
  if (fault !== undefined) throw invalidRequest(`signing_key ${fault}`);
}

async function checkRelayer(
  relayer: ConfiguredRelayerDto,
  { networks, notifications, signers }: ConfigFile,
  stored: StoredItems,
): Promise<void> {
  const { id, network, network_type: type, notification_id: notification, signer_id: signer } = relayer;
  assertTopUpFromAnother(id, parsePolicies(type, relayer.policies ?? {}));
  if (await stored.relayers.exists(id)) return;
  const wanted = networkId(type, network);
  const isDefined =
    BUILT_IN_NETWORKS.has(wanted) ||
    networks.some(({ definition }) => networkId(definition.type, definition.network) === wanted);
  if (!isDefined && !(await stored.networks.exists(wanted)))
    throw invalidRequest(`network ${network} of type ${type} does not exist`);
  if (
    notification &&
    !isIn(notifications, notification) &&
    !(await stored.notifications.exists(notification))
  )
    throw invalidRequest(`notification_id ${notification} is not configured`);
  if (!isIn(signers, signer) && !(await stored.signers.exists(signer)))
    throw invalidRequest(`signer_id ${signer} is not configured`);
}

const isIn = (items: readonly { id: string }[], id: string): boolean => items.some((item) => item.id === id);
