import type { ReleaseSlot, Slots } from '../../background/slots';
import { getOrCreate } from '../../common/get-or-create';
import { DeliveryRoom, type Guest } from './delivery-room';

/** Attempts in progress to one receiver, once it has shown that it responds, in each process. @limit Webhooks */
const MAX_PER_RECEIVER = 16;
/** The limit for a receiver that has not responded yet, or did not respond to the last attempt. */
const DOUBTFUL = 1;
/** Attempts in progress to one host, in each process. @limit Webhooks */
const MAX_PER_HOST = 64;
/** Attempts in progress, in each process. @limit Webhooks */
const MAX_IN_ALL = 256;
const MAX_RECEIVERS = 10_000;
/** A receiver that takes longer is slow. */
const QUICK_MS = 1000;

interface Receiver extends Guest {
  host: string;
  limit: number;
}

/** The destination of a delivery. */
export interface Destination {
  notificationId: string;
  /** The host and port of the receiver's URL. */
  host: string;
}

/** What an attempt shows about its receiver. */
export interface Conduct {
  /** Whether it accepted the delivery, refused it by another status, or did not respond. */
  response: 'accepted' | 'refused' | 'none';
  /** The duration of the attempt, in milliseconds. */
  ms: number;
}

/**
 * Limits the attempts in progress: to each receiver, to each host, and in total. A receiver gets more slots with each
 * delivery that it accepts, and falls back to one if it does not respond. {@link DeliveryRoom} divides the shared
 * slots, so that receivers that hang or respond slowly do not delay others, even if they share a host with them.
 */
export class DeliverySlots implements Slots<Destination, string, Conduct> {
  private readonly all = new DeliveryRoom(MAX_IN_ALL);
  /** The hosts with attempts in progress. */
  private readonly hosts = new Map<string, DeliveryRoom>();
  private readonly receivers = new Map<string, Receiver>();
  /** Receivers whose deliveries were read although there was no slot for them: others are read first. */
  private readonly passedOver = new Set<Receiver>();
  private hasPassedOver = false;

  /** @param now monotonic clock, in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  get free(): number {
    return this.all.free;
  }

  /**
   * The known receivers for which no slot is available now, and those which got none for deliveries that were read,
   * until reading no longer finds such deliveries: they would hide those of other receivers, because only the oldest
   * ones are read. That also applies to a receiver that has a slot each time deliveries are read, because its attempts
   * end in between.
   */
  get full(): string[] {
    if (!this.hasPassedOver) this.passedOver.clear();
    this.hasPassedOver = false;
    const now = this.now();
    const full = [...this.receivers].filter(
      ([, receiver]) => this.passedOver.has(receiver) || !this.admits(receiver, now),
    );
    return full.slice(0, MAX_RECEIVERS).map(([id]) => id);
  }

  get isNextDue(): boolean {
    const now = this.now();
    return [...this.passedOver].some((receiver) => this.admits(receiver, now));
  }

  /**
   * @returns undefined if no slot is available. Release the slot with the conduct of the receiver, or with undefined if
   * the attempt does not show it
   */
  take({ notificationId, host }: Destination): ReleaseSlot<Conduct> | undefined {
    const receiver = this.receiverOf(notificationId, host);
    const now = this.now();
    if (!this.admits(receiver, now)) {
      this.passedOver.add(receiver);
      this.hasPassedOver = true;
      return undefined;
    }
    const { standing } = receiver;
    const rooms = [this.all, getOrCreate(this.hosts, host, () => new DeliveryRoom(MAX_PER_HOST))];
    for (const room of rooms) room.take(receiver, now);
    receiver.attemptedAt = now;
    receiver.used += 1;
    return (conduct) => {
      const end = this.now();
      const wasFull = this.passedOver.has(receiver) || !this.admits(receiver, end);
      receiver.used -= 1;
      for (const room of rooms) room.release(standing, end);
      if (this.hosts.get(host)?.isEmpty) this.hosts.delete(host);
      if (conduct) learn(receiver, conduct);
      if (this.receivers.size > MAX_RECEIVERS) this.forgetIdle();
      return wasFull;
    };
  }

  private admits(receiver: Receiver, now: number): boolean {
    const { used, limit, host } = receiver;
    return (
      used < limit && this.hosts.get(host)?.admits(receiver, now) !== false && this.all.admits(receiver, now)
    );
  }

  private receiverOf(id: string, host: string): Receiver {
    const created = (): Receiver => ({
      host,
      limit: DOUBTFUL,
      used: 0,
      standing: 'new',
      attemptedAt: -Infinity,
    });
    return Object.assign(getOrCreate(this.receivers, id, created), { host });
  }

  private forgetIdle(): void {
    for (const [id, receiver] of this.receivers) {
      if (receiver.used > 0) continue;
      this.receivers.delete(id);
      this.passedOver.delete(receiver);
    }
  }
}

function learn(receiver: Receiver, { response, ms }: Conduct): void {
  if (response === 'accepted') receiver.limit = Math.min(receiver.limit + 1, MAX_PER_RECEIVER);
  if (response === 'none') receiver.limit = DOUBTFUL;
  if (response === 'none') receiver.standing = 'hanging';
  else receiver.standing = ms <= QUICK_MS ? 'quick' : 'late';
}
