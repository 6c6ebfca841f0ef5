import { type CustomDecorator, SetMetadata } from '@nestjs/common';

export const OPTIONAL_BODY = 'optionalBody';

/** Marks a DTO whose request may omit the body, which then counts as an empty object. */
export const OptionalBody = (): CustomDecorator => SetMetadata(OPTIONAL_BODY, true);
