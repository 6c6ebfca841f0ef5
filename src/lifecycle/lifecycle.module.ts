import { Global, Module } from '@nestjs/common';
import { Lifecycle } from './lifecycle';

/** Provides every module with the events that plugins listen to. */
@Global()
@Module({ providers: [Lifecycle], exports: [Lifecycle] })
export class LifecycleModule {}
