import type { AppConfig } from '../config/app-config';
import { ConfigurationError } from '../config/configuration-error';
import { type ConfigFile, readConfigFile } from '../provisioning/file/config-file';
import { type Finding, ok, problem } from './finding';

const CHECK = 'configuration file';

interface FileState {
  findings: Finding[];
  /** Undefined if there is none, or its form is invalid. */
  file?: ConfigFile;
}

/** Checks the form of the configuration file; `checkConfiguredItems` checks what it refers to. */
export async function checkConfigurationFile({ configFile }: AppConfig): Promise<FileState> {
  if (!configFile) return { findings: [ok(CHECK, 'none')] };
  try {
    const file = await readConfigFile(configFile);
    if (!file) return { findings: [ok(CHECK, `none (${configFile.path} is not there)`)] };
    const { networks, signers, notifications, relayers } = file;
    const found = `${networks.length} networks, ${signers.length} signers, ${notifications.length} notifications, ${relayers.length} relayers`;
    return { findings: [ok(CHECK, `${configFile.path}: ${found}`)], file };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const advice = 'Correct the file; docs/operations/configuring.md describes it.';
    return { findings: error.faults.map((fault) => problem(CHECK, fault, advice)) };
  }
}
