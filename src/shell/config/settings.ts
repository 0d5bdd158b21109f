import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { Failure } from './failure.js';
import { settingsSchema, type Settings } from './settings-schema.js';
import { readStrictYaml } from './strict-yaml.js';

/** Reads the settings file. Relative paths in it are beside the file. A broken one is a Failure with file and line. */
export async function loadSettings(path: string): Promise<Settings> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new Failure('settings-missing', `${path}: cannot be read`, error);
  }
  const read = readStrictYaml(text, settingsSchema);
  if (!read.ok)
    throw new Failure(
      'configuration',
      read.reason.map(({ line, text: what }) => `${path}:${line}: ${what}`).join('\n'),
    );
  const beside = (name: string): string => (isAbsolute(name) ? name : join(dirname(path), name));
  const settings = read.value;
  return {
    ...settings,
    policy: beside(settings.policy),
    killFile: beside(settings.killFile),
    folders: settings.folders.map((folder) => ({ ...folder, path: beside(folder.path) })),
    ...(settings.mbox === undefined ? {} : { mbox: beside(settings.mbox) }),
    store: settings.store.startsWith('sqlite:')
      ? `sqlite:${beside(settings.store.slice('sqlite:'.length))}`
      : settings.store,
    ...(settings.tree === undefined ? {} : { tree: beside(settings.tree) }),
    ...(settings.checkpatch === undefined ? {} : { checkpatch: { path: beside(settings.checkpatch.path) } }),
  };
}
