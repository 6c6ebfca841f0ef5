import 'reflect-metadata';
import { AppModule } from './app.module';
import { createApplication } from './app.setup';
import { ServiceLogger } from './common/logging/service-logger';
import { ConfigurationError } from './config/configuration-error';
import { secretsOf } from './config/app-config';
import { processEnvironment, readConfig } from './config/environment';
import { DemonstrationService } from './provisioning/demonstration.service';
import { demonstrationCommand } from './provisioning/demonstration-command';

async function main(): Promise<void> {
  const config = readConfig(processEnvironment());
  const logger = new ServiceLogger(config.log, secretsOf(config));
  const app = await createApplication(AppModule.register(config), config, logger);
  app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
  await app.listen(config.http.port, config.http.host);

  const { port } = app.getHttpServer().address() as { port: number };
  logger.log('Listening', { host: config.http.host, port }, 'Main');
  if (app.get(DemonstrationService).active) {
    // A key that somebody chose is theirs to print.
    const token = config.apiKeyGenerated ? config.apiKey.reveal() : '$API_KEY';
    process.stdout.write(`${demonstrationCommand(`http://127.0.0.1:${port}`, token)}\n`);
  }
}

main().catch((error: unknown) => {
  const lines =
    error instanceof ConfigurationError
      ? error.faults
      : [error instanceof Error ? error.stack : String(error)];
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exit(1);
});
