/** A request that {@link scriptedFetch} received. */
export interface FetchedRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: Headers;
  body: unknown;
}

/** The outcome of a request: a response, or an error without one. */
export type Outcome = { status: number; body?: unknown; headers?: Record<string, string> } | Error | 'hang';

/**
 * A `fetch` that returns these outcomes one after the other and then repeats the last one, and the requests it
 * received.
 */
export function scriptedFetch(...outcomes: Outcome[]): { fetch: typeof fetch; requests: FetchedRequest[] } {
  const requests: FetchedRequest[] = [];
  const scripted = async (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(String(input));
    const outcome = outcomes[Math.min(requests.length, outcomes.length - 1)]!;
    requests.push({
      method: init.method ?? 'GET',
      target: pathname + search,
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    });
    if (outcome instanceof Error) throw outcome;
    if (outcome === 'hang') return hang(init.signal ?? undefined);
    const { status, body, headers = {} } = outcome;
    return Promise.resolve(
      new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers }),
    );
  };
  return { fetch: scripted, requests };
}

const hang = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });

/** A response in the service's envelope. */
export const success = (data: unknown, more: object = {}): Outcome => ({
  status: 200,
  body: { success: true, data, error: null, ...more },
});

export const failure = (
  status: number,
  headers: Record<string, string> = {},
  message = 'Short text',
): Outcome => ({
  status,
  headers: { 'x-request-id': 'request-1', ...headers },
  body: { success: false, data: null, message, error: 'the long text' },
});
