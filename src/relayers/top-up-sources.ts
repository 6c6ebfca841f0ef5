import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { assertScope } from '../access/assert-scope';
import { currentReach, isReachable, outOfReach } from '../access/relayer-reach';
import { describeRelayers } from '../database/references';
import { UnitOfWork } from '../database/unit-of-work';
import type { WithTopUp } from './policies/top-up-policy.dto';
import { relayerTopsUp } from './relayer.errors';
import { RelayerRows } from './relayer-rows';

interface NamingRelayer {
  id: string;
  name: string;
  relayer_group: string | null;
  /** JSON. */
  policies: string;
}

/**
 * The relayers that pay for top-ups. A rule names its source by id, and pays from whichever relayer has the id. So a
 * source is not deleted while a rule names it: otherwise a rule would apply to another relayer that gets the id later,
 * which the key that set the rule may not reach.
 */
@Injectable()
export class TopUpSources {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly relayers: RelayerRows,
  ) {}

  /**
   * Asserts that a request may set a rule, which makes the source send coins. The source of a limited request is locked
   * until the end of the unit of work, so that it is not deleted meanwhile.
   *
   * @param id the relayer that has the rule
   * @param before its policies before
   * @throws DomainError `forbidden` without the scope `transactions:write`, or if the request does not reach the source
   */
  async holdFor(id: string, policies: object | undefined, before?: object): Promise<void> {
    const rule = (policies as WithTopUp | undefined)?.top_up;
    const from = rule?.from_relayer;
    if (from === undefined) return;
    if (!isDeepStrictEqual(rule, (before as WithTopUp | undefined)?.top_up))
      assertScope('transactions:write');
    if (!currentReach() || from === id) return;
    const source = await this.relayers.findToChange(from);
    if (!source || !isReachable(source)) throw outOfReach('the relayer of policies.top_up.from_relayer');
  }

  /** Must be called while the relayer is locked. @throws DomainError `relayer_in_use` if a rule names it */
  async assertNamedByNone(id: string): Promise<void> {
    const candidates = await this.unitOfWork.manager.query<NamingRelayer[]>(
      'SELECT id, name, relayer_group, policies FROM relayers WHERE policies LIKE ?',
      [`%"from_relayer":%"${id}"%`],
    );
    const naming = candidates.filter(({ policies }) => sourceIn(policies) === id);
    if (naming.length > 0) throw relayerTopsUp(id, describeRelayers(naming, isReachable));
  }
}

/** Undefined also for policies that were altered. */
function sourceIn(policies: string): string | undefined {
  try {
    return (JSON.parse(policies) as WithTopUp | null)?.top_up?.from_relayer;
  } catch {
    return undefined;
  }
}
