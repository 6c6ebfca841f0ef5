import type { Scope } from '../access/scopes';
import type { SignatureSubject } from './authorization/authorize-signature';
import type { ChainOfRelayer } from './chain-of-relayer';

/** A digest to sign, and the content it was computed from. */
export interface SigningTask {
  /** 32 bytes. */
  digest: Uint8Array;
  subject: SignatureSubject;
  /** Present if the signature is valid on one chain only. @throws DomainError `invalid_request` */
  checkChain?: (chain: ChainOfRelayer) => void;
}

/** The scope that a signature needs. */
export const SIGNING_SCOPES: Readonly<Record<SignatureSubject['form'], Scope>> = {
  typed_data: 'sign:typed-data',
  typed_data_hashes: 'sign:typed-data',
  message: 'sign:messages',
  transaction: 'sign:transactions',
};

/** Whether the signature is valid on every chain, for whatever the address is used there. */
export const concernsOtherChains = ({ checkChain }: SigningTask): boolean => checkChain === undefined;
