import type { OpenAPIObject } from '@nestjs/swagger';

type PathItem = OpenAPIObject['paths'][string];
/** An operation of the document. */
export type Operation = NonNullable<PathItem['get']>;

/** All operations of a document, in the order of its paths. */
export function operationsOf({ paths }: OpenAPIObject): Operation[] {
  return Object.values(paths).flatMap((path) =>
    [path.get, path.post, path.put, path.patch, path.delete].filter((each) => each !== undefined),
  );
}
