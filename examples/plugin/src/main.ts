import { ConfigurationError, createRelayerService } from 'relayer-management-service';
import { LedgerModule } from './ledger/ledger.module';

/** The service with the plugin. Settings are those of the environment; SIGHUP reloads them, SIGTERM and SIGINT end it. */
async function main(): Promise<void> {
  const service = await createRelayerService({ modules: [LedgerModule] });
  process.on('SIGHUP', () => service.reload());
  await service.listen();
}

main().catch((error: unknown) => {
  const isExplained = error instanceof ConfigurationError;
  process.stderr.write(
    `${isExplained ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(1);
});
