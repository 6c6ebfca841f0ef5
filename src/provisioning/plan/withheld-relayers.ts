import { Injectable } from '@nestjs/common';
import { FormerRelayers } from '../../relayers/former-relayers';
import { NewRelayerApprovals } from '../../relayers/new-relayer-approvals';
import type { NewRelayer } from '../../relayers/new-relayer';

/**
 * Relayers that the configuration file does not create. Deleting a relayer needs no approval, so a start must not return
 * it, or its account, in the state of the file: it may have been paused, and its policies tightened, before it was
 * deleted.
 */
@Injectable()
export class WithheldRelayers {
  constructor(
    private readonly approvals: NewRelayerApprovals,
    private readonly former: FormerRelayers,
  ) {}

  /** @param chainId the chain id of its network */
  async include(relayer: NewRelayer, chainId: string | null): Promise<boolean> {
    return (await this.approvals.areNeededFor(relayer)) && (await this.former.include(relayer, chainId));
  }
}
