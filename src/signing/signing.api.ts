import type { MessageEncoding } from '../chains/evm/personal-message';
import type { SignatureResponse } from './signature.response';
import type { SignedTransactionResponse } from './raw-transactions/signed-transaction.response';
import type { FullTypedDataDto, TypedDataHashesDto } from './typed-data/sign-typed-data.dto';
import type { BatchItemResponse } from './typed-data/typed-data-signature.response';

/** A message to sign (EIP-191): text, or the hex digits of its bytes. The default encoding is `utf8`. @public */
export interface MessageToSign {
  message: string;
  encoding?: MessageEncoding;
}

/** EIP-712 data: its two hashes, or in full. @public */
export type TypedDataToSign = TypedDataHashesDto | FullTypedDataDto;

/**
 * Signing, by the same rules as the routes, which use this port: scope and reach of the current request, freeze, pause,
 * policies, audit and events. Outside of a request, and in `outsideRequests`, the caller is the service itself; freeze,
 * pause and policies apply to it as well.
 *
 * All methods throw an Error in a unit of work: if it were rolled back, the signature would not be in the audit log.
 *
 * @public
 */
export abstract class SigningApi {
  /**
   * Signs EIP-712 data.
   *
   * @throws DomainError `relayer_not_found`, `signing_frozen`, `relayer_paused`, `typed_data_not_allowed`,
   * `invalid_request`, `forbidden`, `signer_unavailable`
   */
  abstract signTypedData(relayerId: string, request: TypedDataToSign): Promise<SignatureResponse>;

  /** Signs up to 1000 requests independently, as {@link signTypedData} does. The results are in the same order. */
  abstract signTypedDataBatch(relayerId: string, requests: readonly unknown[]): Promise<BatchItemResponse[]>;

  /** @throws DomainError as {@link signTypedData}, and `message_not_allowed` */
  abstract signMessage(relayerId: string, request: MessageToSign): Promise<SignatureResponse>;

  /**
   * Signs a transaction of type 0, 1, 2 or 4 without sending it.
   *
   * @param transaction an object, or the serialized form as `0x` and hex digits
   * @throws DomainError as {@link signTypedData}, and `transaction_not_allowed`
   */
  abstract signTransaction(
    relayerId: string,
    transaction: object | string,
  ): Promise<SignedTransactionResponse>;
}
