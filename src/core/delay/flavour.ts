import type { PatchFile } from '../patch/index.js';
import type { Flavour } from './catalogue.js';

/** What sort of file a wait may stand in. */
export type Language = 'c' | 'rust' | 'dts' | 'yaml' | 'kconfig' | 'shell' | 'python' | 'settings' | 'docs' | 'other';

/** A file's language by its name. */
export function languageOf(path: string): Language {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/^Documentation\/devicetree\/.*\.(?:ya?ml|txt)$/.test(path)) return 'docs';
  if (/(?:^|\/)Documentation\/|\.(?:rst|md|txt)$/.test(path)) return 'docs';
  if (/\.(?:c|h|cc|cpp|hpp|S|inc)$/.test(name)) return 'c';
  if (name.endsWith('.rs')) return 'rust';
  if (/\.(?:dts|dtsi|dtso)$/.test(name)) return 'dts';
  if (/\.ya?ml$/.test(name)) return 'yaml';
  if (/^Kconfig/.test(name) || /_defconfig$/.test(name)) return 'kconfig';
  if (/\.(?:sh|bash)$/.test(name)) return 'shell';
  if (name.endsWith('.py')) return 'python';
  if (/^(?:settings|config)$/.test(name)) return 'settings';
  return 'other';
}

/** Whose code a patch touches, by the layout of its paths; Linux where nothing says otherwise. */
export function flavourOf(files: readonly PatchFile[], text: string): Flavour {
  const paths = files.map((f) => f.path);
  const some = (pattern: RegExp): boolean => paths.some((p) => pattern.test(p));
  if (some(/^sys\/(?:dev|kern|net|amd64|arm64|contrib)\//) || some(/(?:^|\/)(?:fbsd|freebsd)\//i)) return 'freebsd';
  if (some(/^src\/(?:soc|mainboard|drivers|northbridge|southbridge|cpu|lib|arch|security|ec|device|commonlib)\//))
    return 'coreboot';
  if (
    /\b(?:lore\.)?barebox\b/i.test(text) ||
    some(/^(?:images|commands|common\/imx-bbu|arch\/\w+\/boards|drivers\/(?:mci|aiodev))\//)
  )
    return 'barebox';
  if (
    some(
      /^(?:board|configs|cmd|common\/spl|doc\/board|env|drivers\/(?:ddr|ram|serial|sysreset|bootcount)|lib\/efi_loader)\//,
    ) ||
    /\b[Uu]-[Bb]oot\b|@lists\.denx\.de/.test(text)
  )
    return 'u-boot';
  return byCalls(files) ?? (some(BESIDE_LINUX) ? 'barebox' : 'linux');
}

/** Linux keeps next to no code in net/ itself. */
const BESIDE_LINUX = /^net\/(?!(?:compat|devres|socket|sysctl_net)\.c$)\w+\.c$/;

/** A boot loader by the names that it tells the time with; Linux has none of them outside of tools. */
function byCalls(files: readonly PatchFile[]): Flavour | undefined {
  for (const { path, hunks } of files) {
    if (!/^(?:arch|board|common|drivers|fs|lib|net)\//.test(path)) continue;
    for (const hunk of hunks) {
      for (const { text } of hunk.lines) {
        if (BAREBOX.test(text)) return 'barebox';
        if (U_BOOT.test(text)) return 'u-boot';
      }
    }
  }
  return undefined;
}

const BAREBOX =
  /\b(?:wait_ms|is_timeout(?:_non_interruptible)?|wait_on_timeout|[mu]delay_non_interruptible) ?\(|\bget_time_ns\(\)/;
const U_BOOT =
  /\b(?:get_timer(?:_[mu]s)?|dev_get_(?:priv|plat|uclass_priv)|uclass_\w+|U_BOOT_\w+|readx?[bwlq]?_poll_sleep_timeout) ?\(/;
