export interface PrivateServer {
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  destroy(): Promise<void>;
}

export interface PrivateRedisServer extends PrivateServer {
  flush(): Promise<void>;
}

interface PrivateServerClass<T extends PrivateServer> {
  available(): boolean;
  create(options?: { durable?: boolean }): Promise<T>;
}

export const PrivateMariaDb: PrivateServerClass<PrivateServer>;
export const PrivateRedis: PrivateServerClass<PrivateRedisServer>;
export function freePort(): Promise<number>;
export function until(what: string, ready: () => boolean | Promise<boolean>): Promise<void>;
