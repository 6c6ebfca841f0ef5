import { Registry } from 'prom-client';
import { ongoingAccess } from './ongoing-access';
import type { Principal } from '../../src/access/principal';
import type { AuditEntry } from '../../src/audit/audit-entry';
import type { AuditLog } from '../../src/audit/audit-log';
import { DomainError } from '../../src/common/errors/domain-error';
import { EventLoopTurns } from '../../src/common/event-loop/event-loop-turns';
import { currentRequest, runWithRequest } from '../../src/common/http/request-context';
import { Lifecycle } from '../../src/lifecycle/lifecycle';
import type { NetworksService } from '../../src/networks/networks.service';
import type { EvmPolicies } from '../../src/relayers/policies/evm-policies.dto';
import type { RelayersService } from '../../src/relayers/relayers.service';
import type { SignerKeys } from '../../src/signers/opening/signer-keys';
import type { DigestSignature } from '../../src/chains/evm/digest-signature';
import type { BatchResult } from '../../src/signing/batch';
import type { SignatureEvents } from '../../src/signing/signature-events';
import { SignatureRecords } from '../../src/signing/signature-records';
import { SigningConfirmation } from '../../src/signing/signing-confirmation';
import { SigningFlow } from '../../src/signing/signing-flow';
import type { SigningTask } from '../../src/signing/signing-task';
import { SigningMetrics } from '../../src/signing/signing.metrics';

export const SIGNATURE = { r: 'aa', s: 'bb', v: 27 } as const;
export const TASK: SigningTask = {
  digest: new Uint8Array(32),
  subject: { form: 'typed_data_hashes', domainSeparator: 'ab'.repeat(32) },
};
export const PAUSED = new DomainError('relayer_paused', 'Relayer paused');

interface Row {
  id: string;
  networkType: string;
  network: string;
  address: string;
  signerId: string;
  notificationId: string | null;
  chainId: string | null;
  policies: EvmPolicies;
}

/** A signing flow for a single relayer that tests can change. */
export class SigningFixture {
  row: Row = {
    id: 'r',
    networkType: 'evm',
    network: 'devnet',
    address: '0x1',
    signerId: 's',
    notificationId: 'n',
    chainId: '7',
    policies: {},
  };
  /** The other relayers with its address. */
  others: (Row & { paused: boolean })[] = [];
  failure: Error | undefined;
  isRemote = false;
  whileReading: () => void | Promise<void> = () => undefined;
  whileOpening: () => void | Promise<void> = () => undefined;
  whileSigning: () => unknown = () => undefined;
  /** Rechecks the API key. */
  recheck: () => void = () => {
    this.log.push('recheck');
  };
  /** The calls in order. */
  readonly log: string[] = [];
  readonly record = jest.fn().mockResolvedValue(undefined);
  readonly audit = jest.fn((_entries: readonly AuditEntry[]): Promise<void> => Promise.resolve());
  readonly registry = new Registry();
  readonly lifecycle = new Lifecycle();
  private readonly relayers = {
    getForSigning: () => this.read(),
    hasOthers: () => this.others.length > 0,
    othersOf: () => Promise.resolve(this.others),
    getAgain: async () => ({ relayer: await this.read(), others: this.others }),
  } as unknown as RelayersService;
  private readonly metrics = new SigningMetrics(this.registry);
  private readonly access = ongoingAccess(() => this.recheck());
  readonly flow = new SigningFlow(
    this.relayers,
    {
      getByNameOrThrow: (name: string) => {
        this.log.push('chain');
        return Promise.resolve({ name, chainId: '1' });
      },
    } as unknown as NetworksService,
    {
      find: () => undefined,
      open: async () => {
        await this.whileOpening();
        return { isRemote: this.isRemote, sign: () => this.sign() };
      },
    } as unknown as SignerKeys,
    new SignatureRecords(
      {
        record: (entry: AuditEntry) => this.audit([entry]),
        recordAll: this.audit,
      } as unknown as AuditLog,
      { record: this.record } as unknown as SignatureEvents,
    ),
    this.metrics,
    new EventLoopTurns(),
    this.access,
    new SigningConfirmation(this.relayers, this.access, this.metrics),
    this.lifecycle,
  );

  private async read(): Promise<Row> {
    this.log.push('read');
    const reading = this.whileReading();
    const row = { ...this.row };
    await reading;
    return this.failure ? Promise.reject(this.failure) : row;
  }

  private async sign() {
    this.log.push('sign');
    await this.whileSigning();
    return SIGNATURE;
  }

  batch(count: number, task = TASK): Promise<BatchResult<DigestSignature>[]> {
    return this.flow.signBatch(
      'r',
      'typed_data',
      Array.from({ length: count }),
      () => Promise.resolve(task),
      (_task, signature) => signature,
    );
  }
}

/** Runs work within a request of a principal. @param ageMs how long ago the principal's rights were read */
export const asRequestOf = <T>(principal: Principal, work: () => Promise<T>, ageMs = 0): Promise<T> =>
  new Promise((resolve, reject) => {
    runWithRequest('id', () => {
      const request = currentRequest();
      if (request) Object.assign(request, { principal, principalReadAt: performance.now() - ageMs });
      work().then(resolve, reject);
    });
  });

/** The digest of the task, as it is recorded. */
export const signedDigest = { form: 'typed_data_hashes', digest: TASK.digest };
