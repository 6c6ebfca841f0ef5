import { Module } from '@nestjs/common';
import { OngoingAccess } from './ongoing-access';

/** Checks of principals during long requests. */
@Module({ providers: [OngoingAccess], exports: [OngoingAccess] })
export class AccessModule {}
