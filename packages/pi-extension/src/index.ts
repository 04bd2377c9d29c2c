import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

/** The oldest Node that Pi itself takes: major and minor. */
const nodeMin = [22, 19] as const;
/** Pi takes it, but its SQLite lacks what the store needs. */
const majorWithoutStore = 23;

/**
 * Context Manager as an extension of Pi (SSOT 5). On a Node that is too old it says so in one line and leaves Pi as it
 * is without it; nothing that needs the newer one is even loaded then.
 * @param pi Pi's `ExtensionAPI`. Untyped, so that an importer of this package need not have Pi installed.
 * @throws TypeError for anything else
 */
export default async function contextManagerExtension(pi: object): Promise<void> {
  if (!isPi(pi)) throw new TypeError("Context Manager is an extension of Pi: `pi install npm:@cm/pi-extension`.");
  if (!isNewEnough(process.versions.node)) {
    const line = `Context Manager needs Node ${nodeMin.join(".")}, or 24 or newer, and is off; this is Node ${process.versions.node}.`;
    pi.on("session_start", (_event, { hasUI, ui }) => {
      if (hasUI) ui.notify(line, "warning");
      else process.stderr.write(`${line}\n`);
    });
    return;
  }
  // The store's thread takes as long to start as everything else to load: both at the same time.
  const { warmUpStoreThread } = await import("@cm/store-sqlite/warm-up");
  if (!process.env.CM_OFF && !process.env.CM_XTDB_URL) warmUpStoreThread();
  const { contextManager } = await import("./extension.ts");
  contextManager(pi);
}

const isPi = (pi: object): pi is ExtensionAPI => "on" in pi && "registerTool" in pi;

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major === majorWithoutStore) return false;
  return major > nodeMin[0] || (major === nodeMin[0] && minor >= nodeMin[1]);
}
