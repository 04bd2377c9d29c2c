import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import type { Play } from "@cm/scripted-models";
import { openSession } from "@cm/session";
import { createRedactor } from "@cm/sources-fs";
import type { AgentRunOptions, RunEvent } from "../../src/agent/agent-run.ts";
import { askModel } from "../../src/agent/ask-model.ts";
import { Inbox } from "../../src/agent/inbox.ts";
import { modelSchema } from "../../src/presets/preset-schema.ts";
import { resolveModel } from "../../src/presets/resolve-model.ts";
import { openFiles } from "../../src/runs/environment.ts";
import { codingTools, contextToolOf, defaultToolNames } from "../../src/tools/coding-tools.ts";

/** A folder with files, gone when it is let go. */
export function folderWith(files: Readonly<Record<string, string>>): string & {} {
  const folder = mkdtempSync(join(tmpdir(), "cm-server-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

export const removed = (folder: string) => rmSync(folder, { recursive: true, force: true });

/** The preset's model that a play answers for. */
export const modelOf = (play: Play) => ({ id: "scripted", api: "anthropic-messages", baseUrl: play.url });

export interface Ready {
  readonly options: AgentRunOptions;
  readonly events: RunEvent[];
  readonly store: ObjectStore;
  readonly inbox: Inbox;
  readonly abort: AbortController;
  close(): Promise<void>;
}

/** A run of an agent, ready to go, as the server makes it. */
export async function readyRun(play: Play, folder: string, text: string): Promise<Ready> {
  const store = createMemoryStore();
  const files = openFiles({ folders: [folder] });
  const session = await openSession({
    ...{ store, layout: layouts.log, rendererFor, session: "c1", systemPrompt: "You work.", redact: createRedactor() },
    sources: files.source === undefined ? [] : [files.source],
  });
  const { model, models } = await resolveModel(modelSchema.parse(modelOf(play)), {});
  const events: RunEvent[] = [];
  const inbox = new Inbox();
  const abort = new AbortController();
  const tools = [...(await codingTools(defaultToolNames, folder, process.env)), contextToolOf(session, folder)];
  const options: AgentRunOptions = {
    ...{ store, session, tools, inbox, cwd: folder, bindAll: files.bindAll, signal: abort.signal },
    run: { runId: "r1", conversationId: "c1", preset: "p", featureFlags: {} },
    asked: { model, stream: askModel(models, 1) },
    deferred: new Set(),
    checks: [],
    budget: { stepsMax: 100, ms: 60_000 },
    input: [{ id: "m1", text }],
    settled: [],
    onEvent: (event) => events.push(event),
  };
  return {
    ...{ options, events, store, inbox, abort },
    close: async () => {
      await session.abandon();
      await files.close();
    },
  };
}
