/** A pause that can be ended early, even before it has begun. */
export class Pause {
  private over: (() => void) | undefined;
  private endedEarly = false;

  take(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.over = undefined;
        this.endedEarly = false;
        resolve();
      };
      const timer = setTimeout(finish, milliseconds).unref();
      this.over = finish;
      if (this.endedEarly) finish();
    });
  }

  end(): void {
    this.endedEarly = true;
    this.over?.();
  }
}
