import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { ProtectedEntity } from '../database/integrity/protected-entity';
import type { ProtectedTable } from '../secrets/row-macs';
import { type SealedColumn, type SecretPlace, secretPlace } from '../secrets/secret-cipher';
import type { SignerMaterial } from './signer-provider';

/** The column of {@link SignerEntity.secret}. */
export const SIGNER_SECRET: SealedColumn = {
  table: 'signers',
  column: 'secret',
  // Otherwise an attacker could redirect the credentials of a key service to another address.
  boundTo: ['kind', 'settings'],
};

/** The location of a signer's secret. */
export function signerSecretPlace({ id, kind, settings }: SecretOwner): SecretPlace {
  return secretPlace(SIGNER_SECRET, id, { kind, settings });
}

type SecretOwner = Pick<SignerEntity, 'id' | 'kind' | 'settings'>;

/** The holder of a key and how it is accessed. */
@Entity('signers')
@Index('ix_signers_created_at', ['createdAt', 'id'])
export class SignerEntity extends ProtectedEntity {
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  /** The {@link SignerKind} of the factory that opens it. */
  @Column('varchar', { length: 32 })
  kind!: string;

  /** The kind's settings in plain text. */
  @Column('json')
  settings!: SignerMaterial['settings'];

  /** The kind's secret, encrypted. */
  @Column('text', { nullable: true })
  secret!: string | null;

  /** See {@link SignerIdentity}; null until it is determined. */
  @Column('varchar', { length: 42, nullable: true })
  address!: string | null;

  @Column('varchar', { name: 'public_key', length: 132, nullable: true })
  publicKey!: string | null;

  /** The id of the principal whose request created it; null for none. */
  @Column('varchar', { name: 'created_by', length: 36, nullable: true })
  createdBy!: string | null;
}

/** The protected columns determine which key signs, where its credentials are sent, and who may delete it. */
export const SIGNER_PROTECTION: ProtectedTable<SignerEntity> = {
  table: 'signers',
  columns: {
    id: 'protected',
    kind: 'protected',
    settings: 'protected',
    secret: 'protected',
    address: 'protected',
    publicKey: 'protected',
    createdBy: 'protected',
    createdAt: 'unprotected',
  },
};
