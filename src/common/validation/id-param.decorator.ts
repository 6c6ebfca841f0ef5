import { Param } from '@nestjs/common';
import type { DomainError } from '../errors/domain-error';
import { IDENTIFIER } from './fields';

/**
 * A path parameter that contains the id of a resource. A value that is not an identifier gets the response for a
 * missing resource, and never reaches the database, where MySQL ignores trailing spaces.
 */
export function IdParam(name: string, notFound: (id: string) => DomainError): ParameterDecorator {
  return Param(name, {
    transform: (id: string): string => {
      if (!IDENTIFIER.test(id)) throw notFound(id);
      return id;
    },
  });
}
