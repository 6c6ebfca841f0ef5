export interface PrivateServer {
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  destroy(): Promise<void>;
}

interface PrivateServerClass {
  available(): boolean;
  create(options?: { durable?: boolean }): Promise<PrivateServer>;
}

export const PrivateMariaDb: PrivateServerClass;
export const PrivateRedis: PrivateServerClass;
export function freePort(): Promise<number>;
export function until(what: string, ready: () => boolean | Promise<boolean>): Promise<void>;
