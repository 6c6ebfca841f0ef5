import type { SeededRandom } from '../seeded-random';
import type { Fault, Forward, Outcome, RpcCall } from './fault';

const PARTS = 1_000_000;

/** Which calls a fault meets; every one that it makes sense for, where nothing is said. */
export interface When {
  /** Only calls of these methods. */
  methods?: readonly string[];
  /** Only calls for which this is true. */
  where?: (call: RpcCall) => boolean;
  /** The share of the calls, from 0 to 1. */
  chance?: number;
  /** So many calls, then none any more. */
  times?: number;
  /** A call that meets the fault has all others meet it for so long. */
  lastsMs?: number;
}

/** A fault that a proxy was given. */
export class FaultRule {
  /** Calls that met it. */
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

/** What became of a call, and by which fault. */
export interface Treated {
  outcome: Outcome;
  fault: string | undefined;
}

/** The faults of a proxy. A call meets one at most: the first, in the order in which they were added. */
export class FaultRules {
  private rules: FaultRule[] = [];

  /** @param random decides about chances */
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
