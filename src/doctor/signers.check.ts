import { Injectable } from '@nestjs/common';
import { inParallel } from '../chains/rpc/in-parallel';
import { SignerKeys } from '../signers/opening/signer-keys';
import type { SignerEntity } from '../signers/signer.entity';
import { SignerFailure, type SignerFailureReason } from '../signers/signer-failure';
import { SignerKinds } from '../signers/signer-kinds';
import { SignersService } from '../signers/signers.service';
import { type Finding, ok, problem } from './finding';
import { firstRows } from './first-rows';

const CHECK = 'signers';
const AT_ONCE = 4;

const ADVICE: Record<SignerFailureReason, string> = {
  timeout: 'Let a firewall or NetworkPolicy pass connections from here to the key service.',
  unreachable: 'Correct the address of the key service in the signer, or let the connection pass.',
  refused: 'Renew the credentials of the signer, and its right to read and use the key.',
  no_credentials:
    'Give the process credentials that the AWS SDK finds: a role, AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  throttled: 'The key service refuses more requests for now: raise its quota.',
  invalid_response:
    'The address of the signer does not lead to that kind of key service, or the key is not a secp256k1 key.',
  address_refused: 'Name the address in OUTBOUND_ALLOW with the purpose key-service.',
  busy: 'Run npm run doctor again while less is going on.',
};

/**
 * Opens every stored signer, as its first signature would: keys are decrypted, key services are called. Nothing is
 * signed.
 */
@Injectable()
export class SignersCheck {
  constructor(
    private readonly signers: SignersService,
    private readonly keys: SignerKeys,
    private readonly kinds: SignerKinds,
  ) {}

  async run(): Promise<Finding[]> {
    const signers = await firstRows((query) => this.signers.list(query));
    if (signers.length === 0) return [ok(CHECK, 'none yet')];
    return inParallel(signers, AT_ONCE, (signer) => this.open(signer));
  }

  private async open({ id, kind, address }: SignerEntity): Promise<Finding> {
    const label = `${id} (${kind})`;
    // Without the plugins, the commands lack the code of their kinds. MACs show whether a row was altered.
    if (!this.kinds.find(kind)) return ok(CHECK, `${label} is of a kind of a plugin, not checked`);
    if (address === null) return ok(CHECK, `${label} was never used`);
    try {
      await this.keys.open({ signerId: id, networkType: 'evm', address });
      return ok(CHECK, `${label} holds the key of ${address}`);
    } catch (error) {
      const reason = error instanceof SignerFailure ? error.reason : undefined;
      return problem(
        CHECK,
        `${label}: ${error instanceof SignerFailure ? error.detail : 'cannot be opened'}`,
        reason === undefined
          ? 'Run npm run storage:verify: the stored key may be damaged. The log of a signature has the whole cause.'
          : ADVICE[reason],
      );
    }
  }
}
