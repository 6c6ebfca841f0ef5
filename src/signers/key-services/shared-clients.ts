/** A client in use; `release` is called once it is no longer needed, more calls change nothing. */
export interface Lease<Client> {
  client: Promise<Client>;
  release: () => void;
}

interface Entry<Client> {
  client: Promise<Client>;
  users: number;
}

/**
 * Clients of a key service, shared by the signers that reach it the same way: they use one pool of connections and
 * one set of credentials. The last to leave closes the client; one that could not be made is not kept.
 */
export class SharedClients<Client> {
  readonly #entries = new Map<string, Entry<Client>>();

  constructor(private readonly close: (client: Client) => unknown) {}

  /** @param key what two signers must have in common to share a client */
  lease(key: string, make: () => Promise<Client>): Lease<Client> {
    const entry = this.#entries.get(key) ?? this.add(key, make);
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

  private add(key: string, make: () => Promise<Client>): Entry<Client> {
    const entry = { client: make(), users: 0 };
    this.#entries.set(key, entry);
    entry.client.catch(() => {
      this.remove(key, entry);
    });
    return entry;
  }

  private leave(key: string, entry: Entry<Client>): void {
    entry.users -= 1;
    if (entry.users > 0) return;
    this.remove(key, entry);
    // A client that was never made, or that fails to close, leaves nothing to be done.
    entry.client.then((client) => this.close(client)).catch(() => undefined);
  }

  private remove(key: string, entry: Entry<Client>): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }
}
