import { Injectable } from '@nestjs/common';
import { currentPrincipal } from '../../access/principal';
import { ChangeOperation, type Stored } from '../../approvals/change-operation';
import type { PendingChangeResponse } from '../../approvals/dto/pending-change.response';
import type { Secret } from '../../common/secrets/secret';
import type { ApiKeyEntity } from './api-key.entity';
import { hashOfApiKey, newApiKeyText } from './api-key-text';
import { ApiKeysService } from './api-keys.service';
import type { CreateApiKeyDto } from './dto/create-api-key.dto';
import type { UpdateApiKeyDto } from './dto/update-api-key.dto';
import { newApiKey } from './new-api-key';

/** A key or the pending change, with the text of the key, which is available only now. */
export interface WithText {
  result: ApiKeyEntity | PendingChangeResponse;
  /** Absent if the key signs its requests. */
  text: Secret | undefined;
}

/** The hash of a text that the response to the request contained. The text becomes valid once the change is applied. */
interface NewSecret {
  hash: string | null;
}

interface Creation {
  /** The id of the new key, which is part of its text. */
  key_id: string;
  key: Stored<CreateApiKeyDto>;
}

interface Update {
  key_id: string;
  patch: Stored<UpdateApiKeyDto>;
}

interface Rotation {
  key_id: string;
  overlap_seconds: number | null;
}

/** Creates API keys, which may require approval. */
@Injectable()
export class ApiKeyCreations extends ChangeOperation<Creation, ApiKeyEntity, NewSecret> {
  readonly name = 'create_api_key';
  readonly scopes = ['api-keys:manage'] as const;

  constructor(private readonly keys: ApiKeysService) {
    super();
  }

  /** @throws DomainError as `ApiKeysService.create`, `invalid_request` */
  async request(key: Stored<CreateApiKeyDto>): Promise<WithText> {
    const { row, text } = newKeyOfCaller(key);
    return { result: await this.submit({ key_id: row.id, key }, { hash: row.secretHash }), text };
  }

  apply({ key_id: id, key }: Creation, secret?: NewSecret): Promise<ApiKeyEntity> {
    const { row } = newKeyOfCaller(key);
    return this.keys.create({ ...row, id, secretHash: secret?.hash ?? null });
  }
}

/** Changes API keys, which may require approval. */
@Injectable()
export class ApiKeyUpdates extends ChangeOperation<Update, ApiKeyEntity> {
  readonly name = 'update_api_key';
  readonly scopes = ['api-keys:manage'] as const;

  constructor(private readonly keys: ApiKeysService) {
    super();
  }

  /** @throws DomainError as `ApiKeysService.update` */
  request(id: string, patch: Stored<UpdateApiKeyDto>): Promise<ApiKeyEntity | PendingChangeResponse> {
    return this.submit({ key_id: id, patch });
  }

  apply({ key_id: id, patch }: Update): Promise<ApiKeyEntity> {
    return this.keys.update(id, patch);
  }
}

/** Rotates the secrets of API keys, which may require approval. */
@Injectable()
export class ApiKeyRotations extends ChangeOperation<Rotation, ApiKeyEntity, NewSecret> {
  readonly name = 'rotate_api_key';
  readonly scopes = ['api-keys:manage'] as const;

  constructor(private readonly keys: ApiKeysService) {
    super();
  }

  /** @throws DomainError as `ApiKeysService.rotate` */
  async request(id: string, overlapSeconds: number | undefined): Promise<WithText> {
    const text = newApiKeyText(id);
    const hash = hashOfApiKey(text.reveal());
    const request = { key_id: id, overlap_seconds: overlapSeconds ?? null };
    return { result: await this.submit(request, { hash }), text };
  }

  apply({ key_id: id, overlap_seconds: overlap }: Rotation, secret?: NewSecret): Promise<ApiKeyEntity> {
    if (typeof secret?.hash !== 'string') throw new Error('A rotation has no secret');
    return this.keys.rotate(id, secret.hash, overlap ?? undefined);
  }
}

const newKeyOfCaller = (key: Stored<CreateApiKeyDto>) => newApiKey(key, currentPrincipal()?.id ?? 'service');
