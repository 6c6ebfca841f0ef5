import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A nonce that a signed request has used. */
@Entity('signature_nonces')
@Index('ix_signature_nonces_expires_at', ['expiresAt'])
export class SignatureNonceEntity {
  /** SHA-256 of the key id and the nonce, in hex. */
  @PrimaryColumn('varchar', { length: 64 })
  id!: string;

  @Column('datetime', { name: 'expires_at', precision: 6 })
  expiresAt!: Date;
}
