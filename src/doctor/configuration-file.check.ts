import type { AppConfig } from '../config/app-config';
import { ConfigurationError } from '../config/configuration-error';
import { readConfigFile } from '../provisioning/file/config-file';
import { type Finding, ok, problem } from './finding';

const CHECK = 'configuration file';

/** Checks the form of the configuration file. Only a start determines whether its items can be stored. */
export async function checkConfigurationFile({ configFile }: AppConfig): Promise<Finding[]> {
  if (!configFile) return [ok(CHECK, 'none')];
  try {
    const file = await readConfigFile(configFile);
    if (!file) return [ok(CHECK, `none (${configFile.path} is not there)`)];
    const { networks, signers, notifications, relayers } = file;
    return [
      ok(
        CHECK,
        `${configFile.path}: ${networks.length} networks, ${signers.length} signers, ${notifications.length} notifications, ${relayers.length} relayers`,
      ),
    ];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const advice = 'Correct the file; docs/operations/configuring.md describes it.';
    return error.faults.map((fault) => problem(CHECK, fault, advice));
  }
}
