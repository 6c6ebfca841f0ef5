import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError, Lifecycle } from 'relayer-management-service';

/** Refuses to sign typed data of which only the hashes are given, whatever the policies of the relayer say. */
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
