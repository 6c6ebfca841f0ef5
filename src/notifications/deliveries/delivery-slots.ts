import type { ReleaseSlot, Slots } from '../../background/slots';
import { getOrCreate } from '../../common/get-or-create';

/** Attempts in progress to one receiver, once it has shown that it responds. @limit Webhooks */
const MAX_PER_RECEIVER = 16;
/** The limit for a receiver that has not responded yet, or did not respond to the last attempt. */
const DOUBTFUL = 1;
/** Attempts in progress to one host. @limit Webhooks */
const MAX_PER_HOST = 64;
/** Attempts in progress of an instance. @limit Webhooks */
const MAX_IN_ALL = 256;
const MAX_RECEIVERS = 10_000;

/** Slots shared by many receivers. Half of them are reserved for receivers that have responded. */
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
  /** Whether the receiver has not responded yet, or did not respond to the last attempt. */
  doubtful: boolean;
}

/** The destination of a delivery. */
export interface Destination {
  notificationId: string;
  /** The host and port of the receiver's URL. */
  host: string;
}

/**
 * Limits the attempts in progress: to each receiver, to each host, and in total. A receiver gets more slots with each
 * delivery that it accepts, and falls back to one if it does not respond. Receivers that hang therefore occupy few of
 * the shared slots, even if they share a host with others.
 */
export class DeliverySlots implements Slots<Destination, string, boolean> {
  private readonly all = new Room(MAX_IN_ALL);
  /** The hosts with attempts in progress. */
  private readonly hosts = new Map<string, Room>();
  private readonly receivers = new Map<string, Receiver>();

  get free(): number {
    return this.all.free;
  }

  /** The known receivers for which no slot is available now. */
  get full(): string[] {
    const full = [...this.receivers].flatMap(([id, receiver]) => (this.admits(receiver) ? [] : [id]));
    return full.slice(0, MAX_RECEIVERS);
  }

  /**
   * @returns undefined if no slot is available. Release the slot with true if the receiver accepted the delivery, false
   * if it did not respond, and undefined otherwise
   */
  take({ notificationId, host }: Destination): ReleaseSlot<boolean> | undefined {
    const receiver = this.receiverOf(notificationId, host);
    if (!this.admits(receiver)) return undefined;
    const { doubtful } = receiver;
    this.change(receiver, host, doubtful, 1);
    return (accepted) => {
      const wasFull = !this.admits(receiver);
      this.change(receiver, host, doubtful, -1);
      if (accepted !== undefined) {
        receiver.limit = accepted ? Math.min(receiver.limit + 1, MAX_PER_RECEIVER) : DOUBTFUL;
        receiver.doubtful = !accepted;
      }
      if (this.receivers.size > MAX_RECEIVERS) this.forgetIdle();
      return wasFull;
    };
  }

  private admits({ limit, used, doubtful, host }: Receiver): boolean {
    return used < limit && this.hosts.get(host)?.admits(doubtful) !== false && this.all.admits(doubtful);
  }

  private change(receiver: Receiver, host: string, doubtful: boolean, by: 1 | -1): void {
    const room = this.hosts.get(host) ?? new Room(MAX_PER_HOST);
    receiver.used += by;
    room.change(doubtful, by);
    this.all.change(doubtful, by);
    if (room.isEmpty) this.hosts.delete(host);
    else this.hosts.set(host, room);
  }

  private receiverOf(id: string, host: string): Receiver {
    const created = () => ({ host, limit: DOUBTFUL, used: 0, doubtful: true });
    return Object.assign(getOrCreate(this.receivers, id, created), { host });
  }

  private forgetIdle(): void {
    for (const [id, { used }] of this.receivers) if (used === 0) this.receivers.delete(id);
  }
}
