import { Global, Module } from '@nestjs/common';
import { Lifecycle } from './lifecycle';
import { Stopping } from './stopping';

/** Provides every module with the events that plugins listen to, and the beginning of a stop. */
@Global()
@Module({ providers: [Lifecycle, Stopping], exports: [Lifecycle, Stopping] })
export class LifecycleModule {}
