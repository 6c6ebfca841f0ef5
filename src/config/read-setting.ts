import type { Environment } from './env-file';
import { type Setting, type SettingName, SETTINGS, type ValueOf } from './settings';

/** Reads one setting. The optional second argument explains why a valid value is too weak. */
export type Read = <Name extends SettingName>(
  name: Name,
  weaknessOf?: (value: NonNullable<ValueOf<Name>>) => string | undefined,
) => ValueOf<Name>;

/** @param faults receives a line for each invalid value, with the name of its variable but without the value */
export function settingReader(env: Environment, faults: string[]): Read {
  return (name, weaknessOf) => {
    const setting = SETTINGS[name] as unknown as Setting<ValueOf<typeof name>>;
    const text = env[name]?.trim();
    if (text === undefined || text === '') return setting.absent;
    try {
      const value = setting.parse(text);
      const weakness = value == null ? undefined : weaknessOf?.(value);
      if (weakness !== undefined) throw new Error(weakness);
      return value;
    } catch (error) {
      faults.push(`${name} ${error instanceof Error ? error.message : 'is not valid'}`);
      return setting.absent;
    }
  };
}
