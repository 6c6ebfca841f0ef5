import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { TypedDataSignature } from './typed-data.service';
import type { BatchResult } from '../batch';
import { SignatureResponse, toSignatureResponse } from '../signature.response';

/** The result of one item of a batch: `data` on success, otherwise `error`. */
@ApiExtraModels(SignatureResponse)
export class BatchItemResponse {
  @ApiProperty({ example: true })
  success!: boolean;

  @ApiPropertyOptional({ type: () => SignatureResponse })
  data?: SignatureResponse;

  /** What is wrong with this item, and how to correct it. */
  @ApiPropertyOptional({ example: 'message.contents must be a string' })
  error?: string;
}

export function toTypedDataSignatureResponse({ signature, digest }: TypedDataSignature): SignatureResponse {
  const response: SignatureResponse = toSignatureResponse(signature);
  if (digest) response.digest = Buffer.from(digest).toString('hex');
  return response;
}

export function toBatchItemResponse(result: BatchResult<TypedDataSignature>): BatchItemResponse {
  return 'error' in result
    ? { success: false, error: result.error }
    : { success: true, data: toTypedDataSignatureResponse(result.value) };
}
