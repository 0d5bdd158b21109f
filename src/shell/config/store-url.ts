import { readSecret } from './secret.js';
import type { Settings } from './settings-schema.js';

/** The store's URL with its password, fetched from where the settings say; `hide` is told what no log may show. */
export async function storeUrl(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
  hide: (secret: string) => void = () => undefined,
): Promise<string> {
  if (settings.storePassword === undefined || !settings.store.startsWith('postgres')) return settings.store;
  const password = await readSecret(settings.storePassword, env);
  const url = new URL(settings.store);
  url.password = encodeURIComponent(password);
  hide(password);
  hide(url.password);
  return url.href;
}
