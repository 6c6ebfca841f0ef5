import { Secret } from '../../../common/secrets/secret';

/** The plain-text settings of a signer whose key is in Vault. */
export interface VaultSettings {
  /** `https://host:port` */
  address: string;
  /** A namespace of Vault Enterprise. */
  namespace?: string;
  /** The mount path of the KV version 2 engine. */
  mount_point: string;
  /** The path of the secret below the mount. */
  key_name: string;
}

/** The AppRole that the service logs in with. */
export interface AppRole {
  roleId: Secret;
  secretId: Secret;
}

/** Packs both parts into one text, because a signer stores a single secret. */
export function packAppRole({ roleId, secretId }: AppRole): Secret {
  return new Secret(JSON.stringify({ role_id: roleId.reveal(), secret_id: secretId.reveal() }));
}

export function unpackAppRole(packed: Secret): AppRole {
  const { role_id, secret_id } = JSON.parse(packed.reveal()) as { role_id: string; secret_id: string };
  return { roleId: new Secret(role_id), secretId: new Secret(secret_id) };
}
