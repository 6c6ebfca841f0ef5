import { Injectable } from '@nestjs/common';
import { assertScope } from '../access/assert-scope';
import { messageBytes, personalMessageDigest } from '../chains/evm/personal-message';
import { invalidRequest } from '../common/errors/domain-error';
import { bigintsAsTexts } from '../common/validation/bigint-members';
import { validated } from '../common/validation/body-validation';
import { assertOutsideUnits } from '../database/outside-units';
import { SignMessageDto } from './messages/sign-message.dto';
import { RawTransactionsService } from './raw-transactions/raw-transactions.service';
import {
  type SignedTransactionResponse,
  toSignedTransactionResponse,
} from './raw-transactions/signed-transaction.response';
import { type SignatureResponse, toSignatureResponse } from './signature.response';
import { SigningFlow } from './signing-flow';
import { type MessageToSign, SigningApi, type TypedDataToSign } from './signing.api';
import {
  type BatchItemResponse,
  toBatchItemResponse,
  toTypedDataSignatureResponse,
} from './typed-data/typed-data-signature.response';
import { TypedDataService } from './typed-data/typed-data.service';

/** The service's own implementation of {@link SigningApi}. */
@Injectable()
export class SigningApiService extends SigningApi {
  constructor(
    private readonly typedData: TypedDataService,
    private readonly flow: SigningFlow,
    private readonly transactions: RawTransactionsService,
  ) {
    super();
  }

  async signTypedData(relayerId: string, request: TypedDataToSign): Promise<SignatureResponse> {
    assertOutsideUnits('SigningApi.signTypedData');
    assertScope('sign:typed-data');
    return toTypedDataSignatureResponse(await this.typedData.signTypedData(relayerId, request));
  }

  async signTypedDataBatch(relayerId: string, requests: readonly unknown[]): Promise<BatchItemResponse[]> {
    assertOutsideUnits('SigningApi.signTypedDataBatch');
    assertScope('sign:typed-data');
    if (!Array.isArray(requests)) throw invalidRequest('requests must be an array');
    return (await this.typedData.signTypedDataBatch(relayerId, requests)).map(toBatchItemResponse);
  }

  async signMessage(relayerId: string, request: MessageToSign): Promise<SignatureResponse> {
    assertOutsideUnits('SigningApi.signMessage');
    assertScope('sign:messages');
    const { message: text, encoding } = await validated(SignMessageDto, request);
    const message = messageBytes(text, encoding);
    const digest = personalMessageDigest(message);
    const subject = { form: 'message', message } as const;
    return toSignatureResponse(await this.flow.sign(relayerId, { digest, subject }));
  }

  async signTransaction(relayerId: string, transaction: object | string): Promise<SignedTransactionResponse> {
    assertOutsideUnits('SigningApi.signTransaction');
    assertScope('sign:transactions');
    return toSignedTransactionResponse(await this.transactions.sign(relayerId, bigintsAsTexts(transaction)));
  }
}
