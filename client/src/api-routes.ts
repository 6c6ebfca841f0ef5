import type {
  DataOf,
  ItemOf,
  ListParameters,
  ListPath,
  Method,
  PagedPath,
  Parameters,
  PathOf,
} from './routes.ts';
import type { Success } from './envelope.ts';
import { type CallOptions, type RelayerClientOptions, Transport } from './transport.ts';

/** The arguments after the path, which are optional if the route requires nothing. */
type Rest<Options> = object extends Options
  ? [options?: Options & CallOptions]
  : [options: Options & CallOptions];

/** The options of any route. */
export interface AnyOptions extends CallOptions {
  path?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  headers?: Record<string, string>;
  isBare?: boolean;
}

/** A page of a list. */
export interface Page<Item> {
  items: Item[];
  page: number;
  /** The number of items in the whole list. */
  total: number;
}

const PAGE_SIZE = 100;

/** Signing the same content again is harmless. */
const SIGNING = /^\/api\/v1\/relayers\/[^/]+\/sign(-typed-data(\/batch)?|-transaction)?$/;

/** Canceling all transactions again would return only the ids of those that no attempt before has canceled. */
const CANCELING_ALL = '/transactions/pending';

/**
 * Replacing a transaction again would sign a further attempt, or undo a replacement that someone else made meanwhile.
 */
const TRANSACTION = /^\/api\/v1\/relayers\/[^/]+\/transactions\/[^/]+$/;

/** A resource of its own, which DELETE deletes; DELETE of a transaction cancels it, and returns it. */
const RESOURCE = /^\/api\/v1\/[\w-]+\/\{\w+\}$/;

/**
 * All routes of the service, by method and path. Paths are those in its OpenAPI document; parameters and results have
 * the types of their routes. Every method throws a `RelayerClientError`, or the reason of the signal that aborted it.
 */
export class ApiRoutes {
  readonly #transport: Transport;

  constructor(options: RelayerClientOptions) {
    this.#transport = new Transport(options);
  }

  get<P extends PathOf<'get'>>(path: P, ...[options]: Rest<Parameters<'get', P>>): Promise<DataOf<'get', P>> {
    return this.#data('get', path, options);
  }

  post<P extends PathOf<'post'>>(
    path: P,
    ...[options]: Rest<Parameters<'post', P>>
  ): Promise<DataOf<'post', P>> {
    return this.#data('post', path, options);
  }

  put<P extends PathOf<'put'>>(path: P, ...[options]: Rest<Parameters<'put', P>>): Promise<DataOf<'put', P>> {
    return this.#data('put', path, options);
  }

  patch<P extends PathOf<'patch'>>(
    path: P,
    ...[options]: Rest<Parameters<'patch', P>>
  ): Promise<DataOf<'patch', P>> {
    return this.#data('patch', path, options);
  }

  delete<P extends PathOf<'delete'>>(
    path: P,
    ...[options]: Rest<Parameters<'delete', P>>
  ): Promise<DataOf<'delete', P>> {
    return this.#data('delete', path, options);
  }

  /**
   * Iterates over all items of a list, which is read by cursor on demand: no item is missed or repeated if others are
   * added or removed.
   */
  async *list<P extends ListPath>(
    path: P,
    ...[options]: Rest<ListParameters<P>>
  ): AsyncGenerator<ItemOf<P>, void> {
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: Record<string, unknown> = { per_page: PAGE_SIZE, ...options?.query, cursor };
      const { data, pagination } = await this.send('get', path, { ...options, query });
      yield* data as ItemOf<P>[];
      cursor = (pagination as { next_cursor: string | null }).next_cursor;
    }
  }

  /**
   * Iterates over a list page by page, with its length. An item may be missed or repeated if others are added or
   * removed; see {@link list}.
   */
  async *pages<P extends PagedPath>(
    path: P,
    ...[options]: Rest<ListParameters<P>>
  ): AsyncGenerator<Page<ItemOf<P>>, void> {
    for (let page = 1, read = 0; ; page += 1) {
      const query: Record<string, unknown> = { per_page: PAGE_SIZE, ...options?.query, page };
      const { data, pagination } = await this.send('get', path, { ...options, query });
      const items = data as ItemOf<P>[];
      const { total_items: total } = pagination as { total_items: number };
      yield { items, page, total };
      read += items.length;
      if (items.length === 0 || read >= total) return;
    }
  }

  /**
   * A request to any route, without types: for routes of plugins.
   *
   * @param path may contain names in braces, as in the OpenAPI document; `options.path` has their values
   */
  send(method: Method, path: string, { path: values, query, ...options }: AnyOptions = {}): Promise<Success> {
    return this.#transport.send({
      isRepeatable: isHarmlessAgain(method, path),
      isDeletion: method === 'delete' && RESOURCE.test(path),
      ...options,
      method: method.toUpperCase(),
      path: fill(path, values) + queryOf(query),
    });
  }

  async #data<Data>(method: Method, path: string, options: object | undefined): Promise<Data> {
    return (await this.send(method, path, options)).data as Data;
  }
}

function isHarmlessAgain(method: Method, path: string): boolean {
  if (method === 'post') return SIGNING.test(path);
  if (method === 'delete') return !path.endsWith(CANCELING_ALL);
  if (method === 'put') return !TRANSACTION.test(path);
  return method !== 'patch';
}

/** @throws TypeError if a parameter is missing, because the path would be that of another route */
function fill(path: string, values: Readonly<Record<string, unknown>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = values[name];
    if (
      (typeof value !== 'string' && typeof value !== 'number') ||
      value === '' ||
      /^\.\.?$/.test(String(value))
    )
      throw new TypeError(`${name} must be a text that is not empty`);
    return encodeURIComponent(value);
  });
}

function queryOf(query: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(
    Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
  ).toString();
  return text === '' ? '' : `?${text}`;
}
