/** Attempts in progress to one receiver, once it has shown that it responds. @limit Webhooks */
const MAX_PER_RECEIVER = 16;
/** Before that, and when it did not answer last. */
const DOUBTFUL = 1;
/** Attempts in progress to one host. @limit Webhooks */
const MAX_PER_HOST = 64;
/** Attempts in progress of an instance. @limit Webhooks */
const MAX_IN_ALL = 256;
const MAX_RECEIVERS = 10_000;

/** Room that many share: half of it is kept for receivers that have answered. */
class Room {
  private used = 0;
  private doubtful = 0;

  constructor(private readonly size: number) {}

  get free(): number {
    return this.size - this.used;
  }

  get isEmpty(): boolean {
    return this.used === 0;
  }

  admits(doubtful: boolean): boolean {
    return this.free > 0 && !(doubtful && this.doubtful >= this.size / 2);
  }

  change(doubtful: boolean, by: 1 | -1): void {
    this.used += by;
    if (doubtful) this.doubtful += by;
  }
}

interface Receiver {
  host: string;
  limit: number;
  used: number;
  /** It has not answered yet, or has not answered last. */
  doubtful: boolean;
}

/** The right to one attempt. Whoever has it gives it back by {@link DeliverySlots.release}. */
export interface Slot {
  receiver: Receiver;
  host: string;
  doubtful: boolean;
}

/**
 * How many attempts may be under way: to each receiver, to each host, and in all. A receiver earns more by taking what it
 * is sent and falls back to one when it does not answer, so that receivers which hang hold few of the slots that all
 * share, also where they are on the same host as others.
 */
export class DeliverySlots {
  private readonly all = new Room(MAX_IN_ALL);
  /** Those with attempts under way. */
  private readonly hosts = new Map<string, Room>();
  private readonly receivers = new Map<string, Receiver>();

  get free(): number {
    return this.all.free;
  }

  /** The receivers among those that were seen that get no slot now. */
  get refused(): string[] {
    return [...this.receivers].flatMap(([id, receiver]) => (this.admits(receiver) ? [] : [id]));
  }

  /** A slot for an attempt to reach a receiver at a host; undefined where there is none. */
  take(id: string, host: string): Slot | undefined {
    const receiver = this.receiverOf(id, host);
    if (!this.admits(receiver)) return undefined;
    const slot = { receiver, host, doubtful: receiver.doubtful };
    this.change(slot, 1);
    return slot;
  }

  /** @param taken whether the receiver took what it was sent; false only where it gave no answer, undefined where that tells nothing */
  release(slot: Slot, taken: boolean | undefined): void {
    this.change(slot, -1);
    const { receiver } = slot;
    if (taken !== undefined) {
      receiver.limit = taken ? Math.min(receiver.limit + 1, MAX_PER_RECEIVER) : DOUBTFUL;
      receiver.doubtful = !taken;
    }
    if (this.receivers.size > MAX_RECEIVERS) this.forgetIdle();
  }

  private admits({ limit, used, doubtful, host }: Receiver): boolean {
    return used < limit && this.hosts.get(host)?.admits(doubtful) !== false && this.all.admits(doubtful);
  }

  private change({ receiver, host, doubtful }: Slot, by: 1 | -1): void {
    const room = this.hosts.get(host) ?? new Room(MAX_PER_HOST);
    receiver.used += by;
    room.change(doubtful, by);
    this.all.change(doubtful, by);
    if (room.isEmpty) this.hosts.delete(host);
    else this.hosts.set(host, room);
  }

  private receiverOf(id: string, host: string): Receiver {
    const receiver = this.receivers.get(id) ?? { host, limit: DOUBTFUL, used: 0, doubtful: true };
    receiver.host = host;
    this.receivers.set(id, receiver);
    return receiver;
  }

  private forgetIdle(): void {
    for (const [id, { used }] of this.receivers) if (used === 0) this.receivers.delete(id);
  }
}
