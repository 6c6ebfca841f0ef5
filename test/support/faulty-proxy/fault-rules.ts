import type { SeededRandom } from '../seeded-random';
import type { Fault, Forward, Outcome, RpcCall } from './fault';

const PARTS = 1_000_000;

/** The calls to which a fault applies; by default every call for which it makes sense. */
export interface When {
  /** Only calls of these methods. */
  methods?: readonly string[];
  /** Only calls for which this is true. */
  where?: (call: RpcCall) => boolean;
  /** The share of the calls, from 0 to 1. */
  chance?: number;
  /** The number of calls after which the fault no longer applies. */
  times?: number;
  /** Once the fault applies to a call, it applies to all others for this long. */
  lastsMs?: number;
}

/** A fault that has been added to a proxy. */
export class FaultRule {
  /** The number of calls to which it has applied. */
  met = 0;
  private until = 0;

  constructor(
    readonly fault: Fault,
    private readonly when: When,
    private readonly random: SeededRandom,
  ) {}

  meets(call: RpcCall): boolean {
    const { methods = this.fault.methods, where, chance = 1, times = Infinity, lastsMs = 0 } = this.when;
    if (this.met >= times || methods?.includes(call.method) === false || where?.(call) === false)
      return false;
    if (Date.now() < this.until) return true;
    if (chance < 1 && this.random.below(PARTS) >= chance * PARTS) return false;
    this.until = Date.now() + lastsMs;
    return true;
  }
}

/** The outcome of a call, and the fault that caused it. */
export interface Treated {
  outcome: Outcome;
  fault: string | undefined;
}

/** The faults of a proxy. At most one applies to a call: the first, in the order in which they were added. */
export class FaultRules {
  private rules: FaultRule[] = [];

  /** @param random decides chances */
  constructor(private readonly random: SeededRandom) {}

  add(fault: Fault, when: When): FaultRule {
    const rule = new FaultRule(fault, when, this.random);
    this.rules.push(rule);
    return rule;
  }

  remove(rule: FaultRule): void {
    this.rules = this.rules.filter((other) => other !== rule);
  }

  clear(): void {
    this.rules = [];
  }

  async treat(call: RpcCall, forward: Forward): Promise<Treated> {
    for (const rule of this.rules) {
      if (!rule.meets(call)) continue;
      rule.met += 1;
      const outcome = await rule.fault.apply(call, forward);
      if (outcome !== undefined) return { outcome, fault: rule.fault.name };
      rule.met -= 1;
    }
    return { outcome: await forward(), fault: undefined };
  }
}
