import { Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { recordedAs } from '../audit/audit-origin';
import { DomainError } from '../common/errors/domain-error';
import type { ErrorCode } from '../common/errors/error-codes';
import { orOn } from '../common/errors/or-on';
import type { AppConfig } from '../config/app-config';
import { isForeignKeyViolation, isUniqueViolation } from '../database/drivers/driver-errors';
import { RowAlteredError } from '../database/integrity/row-altered.error';
import { UnitOfWork } from '../database/unit-of-work';
import { NetworksService } from '../networks/networks.service';
import { isBare } from '../networks/new-network';
import { NotificationsService } from '../notifications/notifications.service';
import { PolicyWarnings } from '../relayers/policies/policy-warnings.service';
import { RelayerChangesService } from '../relayers/relayer-changes.service';
import { RelayersService } from '../relayers/relayers.service';
import { SignerKinds } from '../signers/signer-kinds';
import { SignersService } from '../signers/signers.service';
import { StorageKeyCheck } from '../stored-secrets/storage-key-check';
import { type ConfigFile, configFileError, emptyConfigFile, readConfigFile } from './file/config-file';
import { DemonstrationService } from './demonstration/demonstration.service';
import { networkDifferences, notificationDifferences, relayerDifferences } from './plan/differences';
import { NetworkPlanner } from './plan/network-planner';
import { PlainHttpReport } from './plain-http-report';
import { ProvisioningPlanner } from './plan/planner';
import { destroySecrets, type ProvisioningPlan } from './plan/provisioning-plan';

const MAX_ATTEMPTS = 5;
/** Errors of rows that others created or deleted since the plan was made. */
const OUTDATED: ReadonlySet<ErrorCode> = new Set(['notification_exists', 'notification_not_found']);
const NO_FILE = emptyConfigFile();

/**
 * Creates the initial content. At each start, everything in the configuration file that does not exist yet is created,
 * in one transaction; existing rows are never overwritten or deleted. Deleted relayers are not created again where a
 * request would need approval for that. The built-in networks are added only once.
 * Without a file and outside of production, a demonstration relayer is created.
 */
@Injectable()
export class ProvisioningService implements OnApplicationBootstrap {
  private readonly logger = new Logger(ProvisioningService.name);

  constructor(
    private readonly config: ConfigService<AppConfig, true>,
    private readonly unitOfWork: UnitOfWork,
    private readonly networks: NetworksService,
    private readonly signers: SignersService,
    private readonly signerKinds: SignerKinds,
    private readonly notifications: NotificationsService,
    private readonly relayers: RelayersService,
    private readonly changes: RelayerChangesService,
    private readonly networkPlanner: NetworkPlanner,
    private readonly planner: ProvisioningPlanner,
    private readonly demonstration: DemonstrationService,
    private readonly plainHttp: PlainHttpReport,
    private readonly warnings: PolicyWarnings,
    private readonly storageKeys: StorageKeyCheck,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const configFile = this.config.get('configFile', { infer: true });
    const file = configFile && (await readConfigFile(configFile));
    await recordedAs('provisioning', async () => {
      await this.provision(file ?? NO_FILE);
      await this.storageKeys.verifyFirstRows();
      if (!file && !this.config.get('production', { infer: true })) await this.demonstration.ensure();
    });
    await this.plainHttp.logPlainHttp();
  }

  private async provision(file: ConfigFile): Promise<void> {
    if (file.hasPlugins) this.logger.warn('The plugins of the configuration file are not used');
    for (let attempt = 1; ; attempt += 1) {
      // Otherwise the id of a notification that is being deleted would still be taken.
      for (const { id } of file.notifications) await this.notifications.finishDeletion(id);
      const plan = await this.planner.plan(file);
      try {
        await this.unitOfWork.run(() => this.create(plan));
        if (file !== NO_FILE) this.logger.log('Configuration file applied', created(plan));
        // Includes rows that another instance created meanwhile.
        await this.warnOfDifferences(file, plan);
        await this.warnOfPolicies(plan);
        this.warnOfWithheld(plan);
        return;
      } catch (error) {
        // Another instance was first, or a row that a relayer refers to has just been deleted: the plan is outdated.
        if (attempt < MAX_ATTEMPTS && isOutdated(error)) continue;
        // Some rules are checked only when a row is stored, such as the length of encrypted endpoints.
        throw error instanceof DomainError ? configFileError([error.detail]) : error;
      } finally {
        destroySecrets(plan);
      }
    }
  }

  private async create(plan: ProvisioningPlan): Promise<void> {
    await this.networkPlanner.carryOut(plan.networks);
    for (const { id, ...signer } of plan.signers) await this.signers.create(id, signer);
    for (const notification of plan.notifications)
      await naming(`notification ${notification.id}`, () => this.notifications.create(notification));
    for (const relayer of plan.relayers)
      await naming(`relayer ${relayer.id}`, () => this.changes.create(relayer));
  }

  private async warnOfDifferences(file: ConfigFile, plan: ProvisioningPlan): Promise<void> {
    for (const configured of plan.networks.configured) {
      const stored = await unlessAltered(this.networks.find(configured.id));
      if (!stored || isBare(stored)) continue;
      const fields = networkDifferences(configured, stored, this.networks.urlsOf(stored));
      this.warn('network', configured.id, fields);
    }
    for (const configured of file.signers) {
      const stored = await unlessAltered(this.signers.find(configured.id));
      const isSame = stored?.kind === this.signerKinds.storedKindOf(configured.type);
      if (stored) this.warn('signer', configured.id, isSame ? [] : ['type']);
    }
    for (const configured of file.notifications) {
      const stored = await unlessAltered(this.notifications.find(configured.id));
      if (!stored) continue;
      const secrets = {
        url: this.notifications.urlOf(stored),
        signingKey: this.notifications.signingKeyOf(stored) ?? undefined,
      };
      const fields = notificationDifferences(
        configured,
        stored,
        secrets,
        this.planner.signingKeyOf(configured, file),
      );
      this.warn('notification', configured.id, fields);
    }
    for (const configured of file.relayers) {
      const stored = await unlessAltered(this.relayers.find(configured.id));
      if (!stored) continue;
      const fields = relayerDifferences(configured, stored, this.relayers.rpcUrlsOf(stored));
      this.warn('relayer', configured.id, fields);
    }
  }

  private async warnOfPolicies({ relayers }: ProvisioningPlan): Promise<void> {
    for (const relayer of relayers)
      for (const warning of await this.warnings.of(relayer, relayer.policies))
        this.logger.warn(warning, { relayer_id: relayer.id });
  }

  private warnOfWithheld({ withheld }: ProvisioningPlan): void {
    for (const id of withheld)
      this.logger.warn(
        'A relayer of the configuration file, or one with its account, was deleted: create it over the API, where that waits for approval, or remove it from the file',
        { relayer_id: id },
      );
  }

  private warn(resource: string, id: string, fields: string[]): void {
    if (fields.length === 0) return;
    this.logger.warn(`The stored ${resource} differs from the configuration file and stays as it is`, {
      id,
      fields,
    });
  }
}

/** Adds to the detail of a DomainError which resource it concerns. */
async function naming<T>(resource: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(error.code, error.message, `${resource}: ${error.detail}`, { cause: error });
  }
}

/** An altered row, which has been logged, does not prevent the others from being served. */
const unlessAltered = <T>(row: Promise<T | null>): Promise<T | null> =>
  orOn(RowAlteredError, null, () => row);

function created(plan: ProvisioningPlan): Record<string, number> {
  const { configured, create, complete } = plan.networks;
  return {
    networks: configured.filter((network) => [...create, ...complete].includes(network)).length,
    signers: plan.signers.length,
    notifications: plan.notifications.length,
    relayers: plan.relayers.length,
  };
}

function isOutdated(error: unknown): boolean {
  return (
    isUniqueViolation(error) ||
    isForeignKeyViolation(error) ||
    (error instanceof DomainError && OUTDATED.has(error.code))
  );
}
