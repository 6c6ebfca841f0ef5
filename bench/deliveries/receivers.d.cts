export interface ReceivedEvent {
  /** Which receiver it was sent to. */
  index: number;
  /** As the event tells, in milliseconds since 1970. */
  madeAt: number;
  arrivals: number[];
}

/** Receivers of events, each on a port of its own, that remember what they were sent. */
export class Receivers {
  /** The first `hanging` of them never answer. */
  static create(count: number, hanging?: number): Promise<Receivers>;
  readonly urls: string[];
  /** By the id of the event. */
  readonly received: Map<string, ReceivedEvent>;
  destroy(): Promise<void>;
}
