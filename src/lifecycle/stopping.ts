import { Injectable } from '@nestjs/common';

/**
 * Whether the service has begun to stop. Nest first ends background work, which takes seconds, and calls its other
 * shutdown hooks only then; probes and requests that wait must know earlier.
 */
@Injectable()
export class Stopping {
  private isBegun = false;

  get hasBegun(): boolean {
    return this.isBegun;
  }

  begin(): void {
    this.isBegun = true;
  }
}
