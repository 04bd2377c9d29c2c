import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AgentMessage, SessionEntry } from "@cm/journal";

/** What the tests use of Pi's own session manager. */
export interface PiSessionModule {
  readonly SessionManager: { open(path: string): { getEntries(): SessionEntry[]; getLeafId(): string | null } };
  buildSessionContext(
    entries: readonly SessionEntry[],
    leafId?: string | null,
  ): { readonly messages: readonly AgentMessage[]; readonly thinkingLevel: string };
}

/** Pi as the workspace installed it for the extension. */
export async function piSessions(): Promise<PiSessionModule> {
  const fromExtension = createRequire(new URL("../../../pi-extension/package.json", import.meta.url));
  const folder = fromExtension.resolve.paths("@earendil-works/pi-coding-agent")?.[0] ?? "";
  const file = join(folder, "@earendil-works/pi-coding-agent", "dist/core/session-manager.js");
  return (await import(pathToFileURL(file).href)) as PiSessionModule;
}
