import type { paths } from './schema.ts';

/** The types of requests and responses by method and path. Nothing else depends on the generated types. */
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

type Operation<M extends Method, P extends keyof paths> = NonNullable<paths[P][M]>;

type Json<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;

/** The response to a request that has been carried out: not 202, which means that it has not been. */
type Success<O> = O extends { responses: infer Responses }
  ? Json<Responses[keyof Responses & (200 | 201)]>
  : never;

/** The paths that support a method and respond with an envelope. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: [Success<Operation<M, P>>] extends [never]
    ? never
    : Success<Operation<M, P>> extends { success: boolean; data: unknown }
      ? P
      : never;
}[keyof paths];

/** The member `data` of a response. */
export type DataOf<M extends Method, P extends keyof paths> =
  Success<Operation<M, P>> extends { data: infer Data } ? Data : never;

/** The paths of lists. */
export type ListPath = {
  [P in PathOf<'get'>]: Success<Operation<'get', P>> extends { pagination: unknown } ? P : never;
}[PathOf<'get'>];

/** The paths of lists that can be read by page; all can be read by cursor. */
export type PagedPath = {
  [P in ListPath]: 'page' extends keyof ParametersOf<Operation<'get', P>, 'query'> ? P : never;
}[ListPath];

/** An item of a list. */
export type ItemOf<P extends ListPath> = DataOf<'get', P> extends readonly (infer Item)[] ? Item : never;

/**
 * The type of a request in the document. Where it allows an integer or its decimal text, a bigint is allowed as well.
 */
type Input<T> = (number extends T ? (string extends T ? bigint : never) : never) | InputMembers<T>;
type InputMembers<T> = T extends object ? { [K in keyof T]: Input<T[K]> } : T;

type BodyOf<O> = O extends { requestBody?: infer Body }
  ? Input<Json<{ content: ContentOf<NonNullable<Body>> }>>
  : never;
type ContentOf<Body> = Body extends { content: infer Content } ? Content : never;

type ParametersOf<O, In extends 'path' | 'query'> = O extends { parameters: infer All }
  ? In extends keyof All
    ? NonNullable<All[In]>
    : never
  : never;

/** A member of the options: absent if the route does not have it, optional if all its parts are. */
type Member<Name extends string, Value> = [Value] extends [never]
  ? Partial<Record<Name, never>>
  : object extends Value
    ? Partial<Record<Name, Value>>
    : Record<Name, Value>;

/** The input of a route: path parameters, query, body. */
export type Parameters<M extends Method, P extends keyof paths> = Member<
  'path',
  ParametersOf<Operation<M, P>, 'path'>
> &
  Member<'query', ParametersOf<Operation<M, P>, 'query'>> &
  Member<'body', BodyOf<Operation<M, P>>>;

/** As {@link Parameters}, without the parameters that the iterators set. */
export type ListParameters<P extends ListPath> = Member<'path', ParametersOf<Operation<'get', P>, 'path'>> & {
  query?: Omit<ParametersOf<Operation<'get', P>, 'query'>, 'page' | 'cursor'>;
};
