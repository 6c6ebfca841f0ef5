import { hash } from 'node:crypto';
import { ConfigurationError } from './configuration-error';
import { type Environment, readEnvFile } from './env-file';
import { SECRET_VARIABLES } from './forget-variables';
import { LIVE_SETTINGS, type LiveSettings, readLogLevel, readRateLimit } from './live-settings';
import { settingReader } from './read-setting';
import { readSecretFiles } from './secret-files';
import { type SettingName, SETTINGS } from './settings';

/** The result of a reload. */
export interface ReloadedSettings {
  live: LiveSettings;
  /** The live settings that have changed since the last reload. */
  changed: SettingName[];
  /** The other settings that have changed since startup. */
  forNextStart: SettingName[];
  /** The texts of the live settings, by variable; undefined if absent. */
  texts: Environment;
}

const NAMES = Object.keys(SETTINGS) as SettingName[];
const LIVE = new Set<SettingName>(LIVE_SETTINGS);
const SECRETS = new Set<string>(SECRET_VARIABLES);

/**
 * Reads the settings again while the service is running. The environment of a process does not change, so changes come
 * from `.env` or from the file of a secret. Values are kept as digests, because some are secrets.
 */
export class SettingsReload {
  private digests: ReadonlyMap<SettingName, string>;

  /**
   * @param preset the names of the process's own variables, which override `.env`
   * @param environment the environment in which the service was started
   */
  constructor(
    private readonly preset: ReadonlySet<string>,
    private readonly environment: Environment,
  ) {
    this.digests = digestsOf(readSecretFiles(environment).env, NAMES);
  }

  /** @throws ConfigurationError with all faults; nothing changes in that case */
  read(file: () => Environment = readEnvFile): ReloadedSettings {
    const { env, faults } = readSecretFiles(this.merged(file()));
    const changed = this.changedIn(env);
    const read = settingReader(env, faults);
    for (const name of changed) if (!LIVE.has(name)) read(name);
    const live = { logLevel: readLogLevel(read), rateLimit: readRateLimit(read) };
    if (faults.length > 0) throw new ConfigurationError(faults);
    this.digests = new Map([...this.digests, ...digestsOf(env, LIVE_SETTINGS)]);
    return {
      live,
      changed: changed.filter((name) => LIVE.has(name)),
      forNextStart: changed.filter((name) => !LIVE.has(name)),
      texts: Object.fromEntries(LIVE_SETTINGS.map((name) => [name, env[name]])),
    };
  }

  /** The variables in the file, overridden by those of the process. */
  private merged(file: Environment): Environment {
    const merged: Record<string, string | undefined> = { ...file };
    for (const name of this.preset) merged[name] = this.environment[name];
    return merged;
  }

  private changedIn(env: Environment): SettingName[] {
    const now = digestsOf(env, NAMES);
    return NAMES.filter((name) => !this.isForgotten(name) && now.get(name) !== this.digests.get(name));
  }

  /** A secret in the environment cannot change, and has been removed from there after startup. */
  private isForgotten(name: SettingName): boolean {
    return SECRETS.has(name) && this.preset.has(name);
  }
}

/** An absent value counts as blank. */
const digestsOf = (env: Environment, names: readonly SettingName[]): Map<SettingName, string> =>
  new Map(names.map((name) => [name, hash('sha256', env[name]?.trim() ?? '', 'base64')]));
