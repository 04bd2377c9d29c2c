import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { SessionOptions } from "../../src/index.ts";

/** A folder that is gone after the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "cm-journal-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Options that touch nothing outside of a folder. */
export function optionsIn(folder: string, more: SessionOptions = {}): SessionOptions {
  return { agentDir: folder, terminalId: null, onError: () => undefined, ...more };
}

export const user = (text: string) => ({ role: "user", content: [{ type: "text", text }], timestamp: 1 });
export const assistant = (text: string) => ({
  role: "assistant",
  content: [{ type: "text", text }],
  provider: "anthropic",
  model: "claude-sonnet-4-5",
  timestamp: 2,
});
