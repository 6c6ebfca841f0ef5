import { Module } from '@nestjs/common';
import { OngoingAccess } from './ongoing-access';

/** What principals may do while their requests last. */
@Module({ providers: [OngoingAccess], exports: [OngoingAccess] })
export class AccessModule {}
