/** A client in use. `release` must be called when it is no longer needed; it is idempotent. */
export interface Lease<Client> {
  client: Promise<Client>;
  release: () => void;
}

interface Entry<Client> {
  client: Promise<Client>;
  users: number;
}

/**
 * Clients of a key service, shared by the signers with the same configuration so that they use one connection pool and
 * one set of credentials. The last release closes the client. A client that could not be created is not cached.
 */
export class SharedClients<Client> {
  readonly #entries = new Map<string, Entry<Client>>();

  constructor(private readonly close: (client: Client) => unknown) {}

  /** @param key equal for signers that share a client */
  lease(key: string, create: () => Promise<Client>): Lease<Client> {
    const entry = this.#entries.get(key) ?? this.add(key, create);
    entry.users += 1;
    let released = false;
    return {
      client: entry.client,
      release: () => {
        if (!released) this.leave(key, entry);
        released = true;
      },
    };
  }

  private add(key: string, create: () => Promise<Client>): Entry<Client> {
    const entry = { client: create(), users: 0 };
    this.#entries.set(key, entry);
    entry.client.catch(() => this.remove(key, entry));
    return entry;
  }

  private leave(key: string, entry: Entry<Client>): void {
    entry.users -= 1;
    if (entry.users > 0) return;
    this.remove(key, entry);
    // If creating or closing the client fails, nothing is left to clean up.
    entry.client.then((client) => this.close(client)).catch(() => undefined);
  }

  private remove(key: string, entry: Entry<Client>): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }
}
