import { readSecret, type Settings } from '../config/index.js';

/** The store's URL with its password, fetched from where the settings say. */
export async function storeUrl(settings: Settings, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  if (settings.storePassword === undefined || !settings.store.startsWith('postgres')) return settings.store;
  const url = new URL(settings.store);
  url.password = encodeURIComponent(await readSecret(settings.storePassword, env));
  return url.href;
}
