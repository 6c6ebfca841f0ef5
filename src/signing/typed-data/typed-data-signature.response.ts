import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { TypedDataSignature } from './typed-data.service';
import type { BatchResult } from '../batch';
import { SignatureResponse, toSignatureResponse } from '../signature.response';

/** The signature of typed data. */
export class TypedDataSignatureResponse extends SignatureResponse {
  /** The digest that was signed, in lower-case hex without `0x`. Present where the request had the full typed data. */
  @ApiPropertyOptional({
    pattern: '^[0-9a-f]{64}$',
    example: 'be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2',
  })
  digest?: string;
}

/** The result of one item of a batch: `data` on success, else `error`. */
@ApiExtraModels(TypedDataSignatureResponse)
export class BatchItemResponse {
  @ApiProperty({ example: true })
  success!: boolean;

  @ApiPropertyOptional({ type: () => TypedDataSignatureResponse })
  data?: TypedDataSignatureResponse;

  /** What is wrong with this item, in words that a caller can act on. */
  @ApiPropertyOptional({ example: 'message.contents must be a string' })
  error?: string;
}

export function toTypedDataSignatureResponse({
  signature,
  digest,
}: TypedDataSignature): TypedDataSignatureResponse {
  const response: TypedDataSignatureResponse = toSignatureResponse(signature);
  if (digest) response.digest = Buffer.from(digest).toString('hex');
  return response;
}

export function toBatchItemResponse(result: BatchResult<TypedDataSignature>): BatchItemResponse {
  return 'error' in result
    ? { success: false, error: result.error }
    : { success: true, data: toTypedDataSignatureResponse(result.value) };
}
