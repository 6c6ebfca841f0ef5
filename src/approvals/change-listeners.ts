import { Injectable } from '@nestjs/common';
import type { ChangeEntity } from './change.entity';

type Listener = (change: Readonly<ChangeEntity>) => Promise<void>;

/** Listeners for requested and finished changes. Modules add them at startup. */
@Injectable()
export class ChangeListeners {
  private readonly listeners: Listener[] = [];

  /**
   * @param listener called in the unit of work in which a change is requested or finished, with the resulting change;
   * if it throws, that is rolled back
   */
  add(listener: Listener): void {
    this.listeners.push(listener);
  }

  async notify(change: Readonly<ChangeEntity>): Promise<void> {
    for (const listener of this.listeners) await listener(change);
  }
}
