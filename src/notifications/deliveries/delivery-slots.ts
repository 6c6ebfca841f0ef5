/** Attempts under way to one receiver at most, once it has shown that it answers. */
const MAX_PER_RECEIVER = 16;
/** Before that, and when it did not answer last. */
const DOUBTFUL = 1;
const MAX_PER_HOST = 64;
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

  admits(doubtful: boolean): boolean {
    return this.free > 0 && !(doubtful && this.doubtful >= this.size / 2);
  }

  change(doubtful: boolean, by: 1 | -1): void {
    this.used += by;
    if (doubtful) this.doubtful += by;
  }
}

interface Receiver {
  host: Room;
  limit: number;
  used: number;
  /** It has not answered yet, or has not answered last. */
  doubtful: boolean;
}

/** The right to one attempt. Whoever has it gives it back by {@link DeliverySlots.release}. */
export interface Slot {
  receiver: Receiver;
  rooms: Room[];
  doubtful: boolean;
}

/**
 * How many attempts may be under way: to each receiver, to each host, and in all. A receiver earns more by taking what it
 * is sent and falls back to one when it does not answer, so that receivers which hang hold few of the slots that all
 * share, also where they are on the same host as others.
 */
export class DeliverySlots {
  private readonly all = new Room(MAX_IN_ALL);
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
  take(id: string, hostName: string): Slot | undefined {
    const receiver = this.receiverOf(id, hostName);
    if (!this.admits(receiver)) return undefined;
    const { doubtful, host } = receiver;
    const slot = { receiver, doubtful, rooms: [this.all, host] };
    receiver.used += 1;
    for (const room of slot.rooms) room.change(doubtful, 1);
    return slot;
  }

  /** @param taken whether the receiver took what it was sent; false only where it gave no answer, undefined where that tells nothing */
  release({ receiver, rooms, doubtful }: Slot, taken: boolean | undefined): void {
    receiver.used -= 1;
    for (const room of rooms) room.change(doubtful, -1);
    if (taken !== undefined) {
      receiver.limit = taken ? Math.min(receiver.limit + 1, MAX_PER_RECEIVER) : DOUBTFUL;
      receiver.doubtful = !taken;
    }
    if (this.receivers.size > MAX_RECEIVERS) this.forgetIdle();
  }

  private admits({ limit, used, doubtful, host }: Receiver): boolean {
    return used < limit && host.admits(doubtful) && this.all.admits(doubtful);
  }

  private receiverOf(id: string, hostName: string): Receiver {
    const host = this.hosts.get(hostName) ?? new Room(MAX_PER_HOST);
    this.hosts.set(hostName, host);
    const known = this.receivers.get(id);
    if (known) return Object.assign(known, { host });
    const receiver = { host, limit: DOUBTFUL, used: 0, doubtful: true };
    this.receivers.set(id, receiver);
    return receiver;
  }

  /** A host without attempts has no receiver with attempts. */
  private forgetIdle(): void {
    for (const [id, { used }] of this.receivers) if (used === 0) this.receivers.delete(id);
    for (const [name, { free }] of this.hosts) if (free === MAX_PER_HOST) this.hosts.delete(name);
  }
}
