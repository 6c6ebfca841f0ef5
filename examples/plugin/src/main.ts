import { Logger } from '@nestjs/common';
import { ConfigurationError, createRelayerService } from 'relayer-management-service';
import { LedgerModule } from './ledger/ledger.module';

/** The service with the plugin. Settings are those of the environment; SIGHUP reloads them, SIGTERM and SIGINT end it. */
async function main(): Promise<void> {
  const service = await createRelayerService({ modules: [LedgerModule] });
  process.on('SIGHUP', () => service.reload());
  await service.listen();
}

main().catch((error: unknown) => {
  if (error instanceof ConfigurationError) process.stderr.write(`${error.message}\n`);
  // The log omits the secrets that the text of an error may contain.
  else
    new Logger('Main').fatal('The service could not start', {
      cause: error instanceof Error ? error.stack : error,
    });
  process.exit(1);
});
