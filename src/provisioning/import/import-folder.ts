import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../../common/errors/domain-error';
import { isObject } from '../../common/validation/json-object';
import { ConfigurationError } from '../../config/configuration-error';
import { parseJsonFile } from '../file/json-file';

const CONFIG_FILE_NAME = 'config.json';

/**
 * A configuration folder of another relayer service: the path of its configuration file, and the content, whose items
 * are not checked yet.
 */
export interface ImportFolder {
  path: string;
  content: Record<string, unknown>;
}

/** @throws ConfigurationError if the folder has no readable configuration file */
export async function readImportFolder(folder: string): Promise<ImportFolder> {
  const path = join(folder, CONFIG_FILE_NAME);
  let content: unknown;
  try {
    content = parseJsonFile(await readFile(path));
  } catch (error) {
    const reason = error instanceof DomainError ? error.detail : 'cannot be read';
    throw new ConfigurationError([`${path}: ${reason}`]);
  }
  if (!isObject(content)) throw new ConfigurationError([`${path}: must hold a JSON object`]);
  return { path, content };
}
