import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AgentMessage, SessionEntry, SessionTreeNode } from "../../src/index.ts";

/** What the tests use of Pi's own session manager. */
export interface PiSession {
  getEntries(): SessionEntry[];
  getBranch(fromId?: string): SessionEntry[];
  getTree(): SessionTreeNode[];
  getLabel(id: string): string | undefined;
  getLeafId(): string | null;
  branch(id: string): void;
  resetLeaf(): void;
  appendMessage(message: AgentMessage): string;
  appendModelChange(provider: string, modelId: string): string;
  appendThinkingLevelChange(level: string): string;
  appendLabelChange(targetId: string, label: string | undefined): string;
  appendCompaction(summary: string, firstKeptEntryId: string, tokensBefore: number): string;
  branchWithSummary(targetId: string | null, summary: string): string;
  createBranchedSession(leafId: string): string | undefined;
  buildSessionContext(): { messages: AgentMessage[]; thinkingLevel: string };
}

export interface PiSessionModule {
  readonly SessionManager: {
    open(path: string): PiSession;
    create(cwd: string, sessionDir?: string): PiSession & { getSessionFile(): string };
  };
  buildSessionContext(
    entries: readonly SessionEntry[],
    leafId?: string | null,
  ): {
    messages: AgentMessage[];
    thinkingLevel: string;
    model: { provider: string; modelId: string } | null;
  };
}

/** Pi as the workspace installed it for the extension: the oracle for what both programs write. */
export async function piSessions(): Promise<PiSessionModule> {
  const fromExtension = createRequire(new URL("../../../pi-extension/package.json", import.meta.url));
  const entry = fromExtension.resolve.paths("@earendil-works/pi-coding-agent")?.[0] ?? "";
  const file = join(entry, "@earendil-works/pi-coding-agent", "dist/core/session-manager.js");
  return (await import(pathToFileURL(file).href)) as PiSessionModule;
}
