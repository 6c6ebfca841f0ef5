/** A program that starts the service with a module that prevents it from stopping. */
import { Module } from '@nestjs/common';
import { createRelayerService } from '../../src/public';

const STUCK = { beforeApplicationShutdown: () => new Promise(() => undefined) };

@Module({ providers: [{ provide: 'stuck', useValue: STUCK }] })
class StuckModule {}

async function main(): Promise<void> {
  const service = await createRelayerService({ modules: [StuckModule] });
  process.stdout.write(`Listening on ${await service.listen()}\n`);
  if (process.env.CLOSE_AT_ONCE === undefined) return;
  const closed = service.close();
  process.stdout.write('Closing\n');
  await closed;
}

void main();
