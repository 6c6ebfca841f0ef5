import { Injectable, Logger } from '@nestjs/common';
import { recordedAs } from '../../audit/audit-origin';
import { DomainError } from '../../common/errors/domain-error';
import { isObject, shown } from '../../common/validation/json-object';
import { ConfigurationError } from '../../config/configuration-error';
import { UnitOfWork } from '../../database/unit-of-work';
import { NotificationsService } from '../../notifications/notifications.service';
import { type ConfigFile, emptyConfigFile, parseConfigFile, readNetworksOf } from '../file/config-file';
import type { ImportFolder } from './import-folder';
import { NetworkPlanner } from '../plan/network-planner';
import { ProvisioningPlanner } from '../plan/planner';
import type { Attempt, ProvisioningPlan } from '../plan/provisioning-plan';
import { RelayerChangesService } from '../../relayers/relayer-changes.service';
import { PolicyWarnings } from '../../relayers/policies/policy-warnings.service';
import { RelayersService } from '../../relayers/relayers.service';
import { SignersService } from '../../signers/signers.service';
import { RefusedItems } from './refused-items';

type Section = 'signers' | 'notifications' | 'relayers';

/** The result for one item in the folder. `reason` explains why it was refused. */
export interface ImportLine {
  outcome: 'created' | 'present' | 'refused';
  resource: 'network' | 'signer' | 'notification' | 'relayer';
  id: string;
  reason?: string;
}

type Report = (line: ImportLine) => void;

/** What an import has accepted and refused so far. */
interface Progress {
  taken: ConfigFile;
  refused: RefusedItems;
  report: Report;
}

/**
 * Imports the configuration folder of another relayer service: networks, signers with their keystores, notifications
 * and relayers, one by one. Existing items are left unchanged. An item that cannot be imported is reported with the
 * reason, and does not prevent the others, except relayers that name it.
 */
@Injectable()
export class ImportService {
  private readonly logger = new Logger(ImportService.name);

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly planner: ProvisioningPlanner,
    private readonly networkPlanner: NetworkPlanner,
    private readonly signers: SignersService,
    private readonly notifications: NotificationsService,
    private readonly relayers: RelayersService,
    private readonly relayerChanges: RelayerChangesService,
    private readonly warnings: PolicyWarnings,
  ) {}

  /**
   * @param dryRun whether to check everything, including keys and key services, without storing anything
   */
  run(folder: ImportFolder, dryRun: boolean, report: Report): Promise<void> {
    return recordedAs('import', () =>
      this.importFolder(folder, dryRun, ({ reason, ...line }) => {
        report({ ...line, id: plain(line.id), ...(reason !== undefined && { reason: plain(reason) }) });
      }),
    );
  }

  private async importFolder(
    { path, content }: ImportFolder,
    dryRun: boolean,
    report: Report,
  ): Promise<void> {
    const taken = emptyConfigFile(path);
    const refused = new RefusedItems();
    const progress: Progress = { taken, refused, report };
    const plan: ProvisioningPlan = {
      networks: await this.importNetworks(content.networks, progress, dryRun),
      signers: [],
      notifications: [],
      relayers: [],
      withheld: [],
    };
    await this.eachOf('signers', content, progress, async (signer) => {
      const planned = await this.planner.planSigner(signer, taken);
      if (!planned) return false;
      const { id, ...prepared } = planned;
      if (!dryRun) await this.signers.create(id, prepared);
      plan.signers.push(planned);
      return true;
    });
    await this.eachOf('notifications', content, progress, async (notification) => {
      const planned = await this.planner.planNotification(notification, taken);
      if (planned && !dryRun) await this.notifications.create(planned);
      return planned !== undefined;
    });
    await this.eachOf('relayers', content, progress, async (relayer) => {
      if (!(await this.relayers.exists(relayer.id))) refused.assertNoneNamedBy(relayer, taken, plan.networks);
      const planned = await this.planner.planRelayer(relayer, taken, plan);
      if (!planned) return false;
      if (!dryRun) await this.relayerChanges.create(planned);
      for (const warning of await this.warnings.of(planned, planned.policies))
        this.logger.warn(warning, { relayer_id: planned.id });
      plan.relayers.push(planned);
      return true;
    });
  }

  private async importNetworks(requested: unknown, { taken, refused, report }: Progress, dryRun: boolean) {
    const { networks, faults } = await readNetworksOf(requested, taken.path);
    const refuse = (id: string, reason: string): void => {
      refused.addNetwork();
      report({ outcome: 'refused', resource: 'network', id, reason });
    };
    for (const fault of faults) refuse(...splitAtFirstSpace(fault));
    const attempt: Attempt = async (place, work) => {
      try {
        const result = await work();
        return result === undefined ? [] : [result];
      } catch (error) {
        refuse(place, reasonOf(error));
        return [];
      }
    };
    const plan = await this.networkPlanner.plan(networks, attempt);
    if (!dryRun) await this.unitOfWork.run(() => this.networkPlanner.carryOut(plan));
    const fresh = new Set([...plan.create, ...plan.complete]);
    for (const network of plan.configured) {
      report({ outcome: fresh.has(network) ? 'created' : 'present', resource: 'network', id: network.id });
    }
    return plan;
  }

  /**
   * @param take returns true if the item was created, false if it existed; if it throws, that is the reason of a
   * refusal
   */
  private async eachOf<S extends Section>(
    section: S,
    content: Record<string, unknown>,
    { taken, refused, report }: Progress,
    take: (item: ConfigFile[S][number]) => Promise<boolean>,
  ): Promise<void> {
    const items = content[section] ?? [];
    const resource = section.slice(0, -1) as ImportLine['resource'];
    if (!Array.isArray(items)) {
      refused.add(section, undefined);
      report({ outcome: 'refused', resource, id: section, reason: 'must be an array' });
      return;
    }
    for (const [index, item] of (items as unknown[]).entries()) {
      const id = idOf(item) ?? `${section}[${index}]`;
      try {
        const parsed = parseItem(section, item, taken);
        report({ outcome: (await take(parsed)) ? 'created' : 'present', resource, id });
        (taken[section] as ConfigFile[S][number][]).push(parsed);
      } catch (error) {
        report({ outcome: 'refused', resource, id, reason: reasonOf(error) });
        refused.add(section, item);
      }
    }
  }
}

/** Checks one item by the same rules as a configuration file. */
function parseItem<S extends Section>(section: S, item: unknown, taken: ConfigFile): ConfigFile[S][number] {
  const { [section]: parsed } = parseConfigFile(
    JSON.stringify({ [section]: [item], networks: [] }),
    taken.path,
  );
  const known: { id: string }[] = taken[section];
  const found = parsed[0];
  if (!found) throw new ConfigurationError(['must be an object']);
  if (known.some(({ id }) => id === found.id)) throw new ConfigurationError(['id is given more than once']);
  return found;
}

function idOf(item: unknown): string | undefined {
  const id = isObject(item) ? item.id : undefined;
  return typeof id === 'string' ? shown(id) : undefined;
}

/**
 * The text of errors that are meant for people. Any other error is a fault of the service or its database, and is
 * rethrown.
 */
function reasonOf(error: unknown): string {
  if (error instanceof DomainError) return error.detail;
  if (!(error instanceof ConfigurationError)) throw error;
  return error.faults.map((fault) => fault.replace(/^CONFIG_FILE (\w+\[0\][.:]? ?)?/, '')).join('; ');
}

/** Texts of the folder may be someone else's: in a terminal, control characters could imitate other lines. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');

function splitAtFirstSpace(text: string): [string, string] {
  const at = text.indexOf(' ');
  return [text.slice(0, at), text.slice(at + 1)];
}
