import { randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error';
import { Secret } from '../../common/secrets/secret';
import { isUniqueViolation } from '../../database/drivers/driver-errors';
import { UnitOfWork } from '../../database/unit-of-work';
import { NetworksService } from '../../networks/networks.service';
import { isBare, toNewNetwork } from '../../networks/new-network';
import { RelayerAccounts } from '../../relayers/relayer-accounts';
import { RelayerChangesService } from '../../relayers/relayer-changes.service';
import { RelayersService } from '../../relayers/relayers.service';
import { type PreparedSigner, SignerPreparation } from '../../signers/opening/signer-preparation';
import { SignersService } from '../../signers/signers.service';

/**
 * The id of the demonstration relayer, its signer and its network, which has no RPC endpoint and therefore works
 * offline.
 */
export const DEMONSTRATION_ID = 'demo';

/** The chain id of development nodes, which no public network has. */
const CHAIN_ID = 1337;

/** Provides a relayer with a random key, for trying out a new installation. */
@Injectable()
export class DemonstrationService {
  private readonly logger = new Logger(DemonstrationService.name);
  /** Whether the demonstration relayer existed at the end of the start. */
  active = false;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly networks: NetworksService,
    private readonly signers: SignersService,
    private readonly preparation: SignerPreparation,
    private readonly relayers: RelayersService,
    private readonly changes: RelayerChangesService,
    private readonly accounts: RelayerAccounts,
  ) {}

  /**
   * Creates the relayer if it does not exist and signing is not frozen. One that was deleted without its signer is not
   * wanted, and not created again.
   */
  async ensure(): Promise<void> {
    await this.provide();
    this.active = await this.relayers.exists(DEMONSTRATION_ID);
  }

  private async provide(): Promise<void> {
    if (await this.relayers.exists(DEMONSTRATION_ID)) {
      await this.unitOfWork.run(() => this.ensureNetwork());
      return;
    }
    if (await this.signers.exists(DEMONSTRATION_ID)) return;
    try {
      await this.create();
      this.logger.log('Demonstration relayer created', { id: DEMONSTRATION_ID });
    } catch (error) {
      const isFrozen = error instanceof DomainError && error.code === 'signing_frozen';
      if (!isFrozen && !isUniqueViolation(error)) throw error;
    }
  }

  private async ensureNetwork(): Promise<void> {
    const network = toNewNetwork('evm', DEMONSTRATION_ID, { chain_id: CHAIN_ID, is_testnet: true });
    const { intact, altered } = await this.networks.findIntact([network.id]);
    if (altered.length > 0) return;
    const [stored] = intact;
    if (!stored) await this.networks.create([network]);
    else if (isBare(stored)) {
      await this.networks.complete(network);
      await this.accounts.followNetworks();
    }
  }

  private async create(): Promise<void> {
    const secret = randomKey();
    try {
      await this.store(await this.preparation.prove('local', { settings: {}, secret }));
    } finally {
      secret.destroy();
    }
  }

  private store(signer: PreparedSigner): Promise<void> {
    return this.unitOfWork.run(async () => {
      await this.ensureNetwork();
      await this.signers.create(DEMONSTRATION_ID, signer);
      await this.changes.create({
        id: DEMONSTRATION_ID,
        name: 'Demonstration relayer',
        group: null,
        network: DEMONSTRATION_ID,
        networkType: 'evm',
        address: signer.identity.address,
        signerId: DEMONSTRATION_ID,
        notificationId: null,
        paused: false,
        customRpcUrls: null,
        policies: {},
      });
    });
  }
}

/** 32 random bytes; the probability that they are not a valid key is below 2^-127. */
function randomKey(): Secret {
  return new Secret(randomBytes(32).toString('hex'));
}
