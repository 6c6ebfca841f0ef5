import { Injectable } from '@nestjs/common';
import type { ChangeEntity } from './change.entity';

type Listener = (change: Readonly<ChangeEntity>) => Promise<void>;

/** Listeners for requested and finished changes, which modules add at start. */
@Injectable()
export class ChangeListeners {
  private readonly listeners: Listener[] = [];

  /**
   * @param listener is called in the unit of work in which a change is requested or ends, with the change as it is
   * then; if it throws, that is rolled back
   */
  add(listener: Listener): void {
    this.listeners.push(listener);
  }

  async notify(change: Readonly<ChangeEntity>): Promise<void> {
    for (const listener of this.listeners) await listener(change);
  }
}
