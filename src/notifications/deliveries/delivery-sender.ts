import { Injectable, Logger } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { retryAfterMs } from '../../common/http/retry-after';
import { SecretCipher, SecretUnreadableError } from '../../secrets/secret-cipher';
import type { AppConfig, WebhookSettings } from '../../config/app-config';
import { isPublicAddress } from '../../outbound/address-kinds';
import { OutboundError } from '../../outbound/outbound-error';
import { OutboundHttp } from '../../outbound/outbound-http';
import type { OutboundResponse } from '../../outbound/outbound-message';
import { NOTIFICATION_PREVIOUS_KEY, NOTIFICATION_SIGNING_KEY } from '../notification.entity';
import type { AttemptResult } from './attempt-result';
import type { DeliveryFailure } from './delivery-failure';
import type { DueDelivery, Receiver } from './delivery.entity';
import { ReceiverLog } from './receiver-log';
import { type SigningKeys, webhookBody, webhookHeaders } from './webhook-message';

/** Part of a receiver's response that is read and stored. @limit Webhooks */
const MAX_RESPONSE_BYTES = 4096;
/**
 * Recorded instead of the body: a caller who chooses the URL must not be able to read responses from the internal
 * network.
 */
const NOT_RECORDED = '(not recorded: the receiver is at a private address)';

/** The properties of a delivery that an attempt requires. */
export type Message = Pick<
  DueDelivery,
  'id' | 'notificationId' | 'notification' | 'event' | 'payload' | 'createdAt'
>;

type Outcome = Omit<AttemptResult, 'startedAt' | 'durationMs'>;

/** Posts deliveries to their receivers. */
@Injectable()
export class DeliverySender {
  private readonly logger = new Logger(DeliverySender.name);
  private readonly receivers = new ReceiverLog();
  private readonly settings: WebhookSettings;

  constructor(
    private readonly http: OutboundHttp,
    private readonly cipher: SecretCipher,
    config: ConfigService<AppConfig, true>,
  ) {
    this.settings = config.get('webhooks', { infer: true });
  }

  /** Makes one attempt, within its timeout. The promise never rejects because of the receiver. */
  async send(delivery: Message, signal?: AbortSignal): Promise<AttemptResult> {
    const startedAt = new Date();
    const start = performance.now();
    const outcome = await this.post(delivery, startedAt, signal);
    const { notificationId } = delivery;
    // Former receivers have lines of their own, and a stop is no failure of the receiver.
    if (notificationOf(delivery) === notificationId && !signal?.aborted)
      this.receivers.record(notificationId, outcome.failure, outcome.status);
    return { startedAt, durationMs: Math.round(performance.now() - start), ...outcome };
  }

  private async post(delivery: Message, at: Date, signal: AbortSignal | undefined): Promise<Outcome> {
    const { failure } = delivery.notification;
    if (failure) return withoutResponse(failure);
    const body = webhookBody(delivery);
    try {
      const response = await this.http.post({
        url: delivery.notification.url,
        purpose: 'webhook',
        headers: this.headersOf(delivery, at, body),
        body,
        timeoutMs: this.settings.timeoutMs,
        maxBytes: MAX_RESPONSE_BYTES,
        onTooLarge: 'truncate',
        ...(signal && { signal }),
      });
      return resultOf(response);
    } catch (error) {
      if (error instanceof OutboundError && error.failure === 'refused')
        this.logger.warn('A receiver may not be called', {
          notification: notificationOf(delivery),
          cause: error.message,
        });
      if (error instanceof OutboundError) return withoutResponse(error.failure);
      if (error instanceof SecretUnreadableError) return withoutResponse('unreadable_key');
      throw error;
    }
  }

  private headersOf({ id, notification }: Message, at: Date, body: string): Record<string, string> {
    const keys = this.keysOf(notification, at);
    try {
      return webhookHeaders(id, at, body, keys);
    } finally {
      keys?.current.destroy();
      keys?.previous?.destroy();
    }
  }

  private keysOf(notification: Receiver, at: Date): SigningKeys | undefined {
    const { id, signingKey, previousSigningKey, previousKeyUntil } = notification;
    if (signingKey === null) return undefined;
    const current = this.cipher.open(signingKey, { ...NOTIFICATION_SIGNING_KEY, row: id });
    if (previousSigningKey === null || previousKeyUntil === null || previousKeyUntil <= at)
      return { current };
    return {
      current,
      previous: this.cipher.open(previousSigningKey, { ...NOTIFICATION_PREVIOUS_KEY, row: id }),
    };
  }
}

/** The result of an attempt without a response. */
const withoutResponse = (failure: DeliveryFailure): Outcome => ({ status: null, failure, answer: null });

function resultOf({ status, headers, body, remoteAddress }: OutboundResponse): Outcome {
  const after = retryAfterMs(headers['retry-after']);
  return {
    status,
    failure: status >= 200 && status < 300 ? null : status === 410 ? 'gone' : 'status',
    // A text column accepts neither zero bytes nor incomplete characters.
    answer: isPublicAddress(remoteAddress) ? body.toString('utf8').replaceAll('\0', '\uFFFD') : NOT_RECORDED,
    ...(after !== undefined && { retryAfterMs: after }),
  };
}

/** The notification that a request can name: the row of a former receiver has another id, but its event has this one. */
const notificationOf = ({ notificationId, payload }: Message): string =>
  'notification_id' in payload && typeof payload.notification_id === 'string'
    ? payload.notification_id
    : notificationId;
