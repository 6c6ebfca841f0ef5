import { Injectable, Logger } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { DomainError, invalidRequest } from '../../common/errors/domain-error';
import type { NetworkType } from '../../chains/network-type';
import type { Secret } from '../../common/secrets/secret';
import type { AppConfig } from '../../config/app-config';
import { NetworksService } from '../../networks/networks.service';
import { networkId } from '../../networks/new-network';
import { signingKeyFault } from '../../notifications/signing-key';
import type { CreateNotificationDto } from '../../notifications/dto/create-notification.dto';
import { NotificationsService } from '../../notifications/notifications.service';
import { FormerRelayers } from '../../relayers/former-relayers';
import { NewRelayerApprovals } from '../../relayers/new-relayer-approvals';
import { parsePolicies } from '../../relayers/policies/policies';
import { assertTopUpFromAnother } from '../../relayers/policies/top-up-source';
import { type NewRelayer, toNewRelayer } from '../../relayers/new-relayer';
import { RelayersService } from '../../relayers/relayers.service';
import { SignerUnsuitableError } from '../../signers/signer-provider';
import { SignerKeys } from '../../signers/opening/signer-keys';
import { SignerPreparation } from '../../signers/opening/signer-preparation';
import { SignersService } from '../../signers/signers.service';
import { type ConfigFile, configFileError } from '../file/config-file';
import type {
  ConfiguredNotificationDto,
  ConfiguredRelayerDto,
  ConfiguredSignerDto,
} from '../file/config-file.dto';
import { ConfiguredSigners } from './configured-signers';
import { NetworkPlanner } from './network-planner';
import { RelayerConflicts } from './relayer-conflicts';
import { secretSources } from '../file/secret-sources';
import type { Attempt, NewSigner, ProvisioningPlan } from './provisioning-plan';

/** Compares a configuration file with the database and determines what to create. It changes nothing. */
@Injectable()
export class ProvisioningPlanner {
  private readonly logger = new Logger(ProvisioningPlanner.name);

  constructor(
    private readonly config: ConfigService<AppConfig, true>,
    private readonly networkPlanner: NetworkPlanner,
    private readonly networks: NetworksService,
    private readonly signers: SignersService,
    private readonly preparation: SignerPreparation,
    private readonly keys: SignerKeys,
    private readonly configuredSigners: ConfiguredSigners,
    private readonly notifications: NotificationsService,
    private readonly relayers: RelayersService,
    private readonly conflicts: RelayerConflicts,
    private readonly approvals: NewRelayerApprovals,
    private readonly former: FormerRelayers,
  ) {}

  /**
   * Plans the content of a file. A new signer must sign once; while signing is frozen it is omitted, along with its
   * relayers, because a freeze must not prevent startup.
   *
   * @throws ConfigurationError with all faults in the file's content
   */
  async plan(file: ConfigFile): Promise<ProvisioningPlan> {
    const faults: string[] = [];
    const attempt: Attempt = async (place, work) => {
      try {
        const result = await work();
        return result === undefined ? [] : [result];
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        if (error.code === 'signing_frozen')
          this.logger.warn('Signing is frozen: new signers and their relayers are created at a later start', {
            place,
          });
        else faults.push(`${place}: ${error.detail}`);
        return [];
      }
    };
    const networks = await this.networkPlanner.plan(file.networks, attempt);
    const plan: ProvisioningPlan = { networks, signers: [], notifications: [], relayers: [], withheld: [] };
    for (const [index, signer] of file.signers.entries()) {
      plan.signers.push(...(await attempt(`signers[${index}]`, () => this.planSigner(signer, file))));
    }
    for (const [index, notification] of file.notifications.entries()) {
      const place = `notifications[${index}]`;
      plan.notifications.push(...(await attempt(place, () => this.planNotification(notification, file))));
    }
    for (const [index, relayer] of file.relayers.entries()) {
      const place = `relayers[${index}]`;
      plan.relayers.push(...(await attempt(place, () => this.planUnlessWithheld(relayer, file, plan))));
    }
    if (faults.length > 0) throw configFileError(faults);
    return plan;
  }

  /** Undefined if the signer already exists. @throws DomainError */
  async planSigner(signer: ConfiguredSignerDto, file: ConfigFile): Promise<NewSigner | undefined> {
    if (await this.signers.exists(signer.id)) return undefined;
    return {
      id: signer.id,
      ...(await this.preparation.prepare(signer.type, signer.config, this.sources(file))),
    };
  }

  /** Undefined if the notification already exists. @throws DomainError */
  async planNotification(
    notification: ConfiguredNotificationDto,
    file: ConfigFile,
  ): Promise<CreateNotificationDto | undefined> {
    if (await this.notifications.exists(notification.id)) return undefined;
    const { id, type, url, signing_key: reference } = notification;
    if (!reference) return { id, type, url };
    const signingKey = this.sources(file).secret(reference, 'signing_key').reveal();
    const fault = signingKeyFault(signingKey);
    if (fault !== undefined) throw invalidRequest(`signing_key ${fault}`);
    return { id, type, url, signing_key: signingKey };
  }

  /** The key of a notification in the file; undefined if it has none, or the variable that it names is not set. */
  signingKeyOf({ signing_key: reference }: ConfiguredNotificationDto, file: ConfigFile): Secret | undefined {
    if (!reference) return undefined;
    try {
      return this.sources(file).secret(reference, 'signing_key');
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }

  /** Undefined if the relayer already exists. @throws DomainError */
  async planRelayer(
    relayer: ConfiguredRelayerDto,
    file: ConfigFile,
    plan: ProvisioningPlan,
  ): Promise<NewRelayer | undefined> {
    const wanted = await this.wantedRelayer(relayer, file, plan);
    return wanted && this.planWanted(wanted, file, plan);
  }

  /**
   * As {@link planRelayer}, but undefined also for a relayer that only a request may create again. Deleting a relayer
   * needs no approval, so a start must not return it, or its account, in the state of the file: it may have been paused,
   * and its policies tightened, before it was deleted.
   */
  private async planUnlessWithheld(
    relayer: ConfiguredRelayerDto,
    file: ConfigFile,
    plan: ProvisioningPlan,
  ): Promise<NewRelayer | undefined> {
    const wanted = await this.wantedRelayer(relayer, file, plan);
    if (!wanted) return undefined;
    const chainId = await this.conflicts.chainIdOf(wanted, plan);
    const place = { ...wanted, chainId };
    if ((await this.approvals.areNeededFor(wanted)) && (await this.former.lastDeletionBefore(place))) {
      plan.withheld.push(wanted.id);
      return undefined;
    }
    return this.planWanted(wanted, file, plan);
  }

  /** What is stored under the names in the file is compared only for a relayer that is created. */
  private async planWanted(
    wanted: NewRelayer,
    file: ConfigFile,
    plan: ProvisioningPlan,
  ): Promise<NewRelayer | undefined> {
    if (await this.conflicts.isStored(wanted, plan)) return undefined;
    await this.assertSameChain(wanted, plan);
    await this.assertSameKey(wanted, file, plan);
    return wanted;
  }

  /** Undefined if a relayer with this id exists, or its signer is invalid. */
  private async wantedRelayer(
    relayer: ConfiguredRelayerDto,
    file: ConfigFile,
    plan: ProvisioningPlan,
  ): Promise<NewRelayer | undefined> {
    // Checked for existing relayers as well: a file is either valid as a whole, or refused.
    const policies = parsePolicies(relayer.network_type, relayer.policies ?? {});
    assertTopUpFromAnother(relayer.id, policies);
    if (await this.relayers.exists(relayer.id)) return undefined;
    await this.assertNetworkExists(relayer, file, plan);
    await this.assertNotificationExists(relayer.notification_id, file);
    // A fault has already been reported for an invalid signer in the file.
    const address = await this.addressFor(relayer, plan.signers, file);
    if (address === undefined) return undefined;
    return toNewRelayer(relayer, { id: relayer.id, address, policies });
  }

  private async assertNetworkExists(
    { network, network_type: type }: ConfiguredRelayerDto,
    file: ConfigFile,
    plan: ProvisioningPlan,
  ): Promise<void> {
    const id = networkId(type, network);
    // A fault has already been reported for an invalid network in the file.
    const isInFile = file.networks.some(
      ({ definition }) => networkId(definition.type, definition.network) === id,
    );
    if (isInFile || plan.networks.create.some((planned) => planned.id === id)) return;
    if (!(await this.networks.exists(id)))
      throw invalidRequest(`network ${network} of type ${type} does not exist`);
  }

  /** Fails if the network in the file is stored with another chain id, which anyone may have created under this name. */
  private async assertSameChain(
    { network, networkType }: NewRelayer,
    { networks: { configured } }: ProvisioningPlan,
  ): Promise<void> {
    const inFile = configured.find(({ id }) => id === networkId(networkType, network));
    const stored = inFile && (await this.networks.find(inFile.id));
    if (stored && stored.chainId !== null && stored.chainId !== inFile.chainId)
      throw invalidRequest(
        `network ${network} is stored with chain id ${stored.chainId}, and that of the file is ${inFile.chainId}`,
      );
  }

  private async assertNotificationExists(id: string | null | undefined, file: ConfigFile): Promise<void> {
    if (id === null || id === undefined || file.notifications.some((notification) => notification.id === id))
      return;
    if (!(await this.notifications.exists(id)))
      throw invalidRequest(`notification_id ${id} is not configured`);
  }

  private async addressFor(relayer: ConfiguredRelayerDto, planned: NewSigner[], file: ConfigFile) {
    const { signer_id: id, network_type: networkType } = relayer;
    const newSigner = planned.find((signer) => signer.id === id);
    if (newSigner && networkType === 'evm') return newSigner.identity.address;
    if (newSigner) return address(networkType, () => this.preparation.addressOf(newSigner, networkType));
    const stored = await this.signers.find(id);
    if (stored) return address(networkType, () => this.keys.addressOf(stored, networkType));
    if (file.signers.some((signer) => signer.id === id)) return undefined;
    throw invalidRequest(`signer_id ${id} is not configured`);
  }

  /** Fails if the signer in the file is stored with another key. */
  private async assertSameKey(
    { signerId, networkType, address }: NewRelayer,
    file: ConfigFile,
    plan: ProvisioningPlan,
  ): Promise<void> {
    const configured = file.signers.find((signer) => signer.id === signerId);
    if (configured && !plan.signers.some((signer) => signer.id === signerId))
      await this.configuredSigners.assertSameKey(configured, networkType, address, this.sources(file));
  }

  private sources(file: ConfigFile) {
    return secretSources(file.path, this.config.get('secretVariable', { infer: true }));
  }
}

async function address(networkType: NetworkType, derive: () => Promise<string>): Promise<string> {
  try {
    return await derive();
  } catch (error) {
    if (error instanceof SignerUnsuitableError)
      throw invalidRequest(`the signer has no account on ${networkType} networks`);
    throw error;
  }
}
