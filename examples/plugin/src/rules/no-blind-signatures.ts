import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError, Lifecycle } from 'relayer-management-service';

/** Refuses to sign typed data if only its hashes are given, regardless of the relayer's policies. */
@Injectable()
export class NoBlindSignatures implements OnModuleInit {
  constructor(private readonly lifecycle: Lifecycle) {}

  onModuleInit(): void {
    this.lifecycle.on('signature.before', ({ form }) => {
      if (form === 'typed_data_hashes')
        throw new DomainError('forbidden', 'Forbidden', 'Acme signs typed data in full only');
    });
  }
}
