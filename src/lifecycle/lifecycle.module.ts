import { Global, Module } from '@nestjs/common';
import { Lifecycle } from './lifecycle';

/** Provides the events that plugins listen to, to every module. */
@Global()
@Module({ providers: [Lifecycle], exports: [Lifecycle] })
export class LifecycleModule {}
