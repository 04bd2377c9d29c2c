import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { rendererFor } from "@cm/render";
import {
  createPiHome,
  extensionPath,
  type PiCommand,
  type PiHome,
  type PiRun,
  type Play,
  probePath,
  type ScriptedModel,
} from "@cm/scripted-models/real-pi";
import { rebuildPrompt } from "@cm/session";
import { openSqliteStore } from "@cm/store-sqlite";
import { type HarnessConversation, type HarnessRun, type HarnessUnderTest, readStoredSession } from "@cm/testkit";
import { links } from "../support/stored.ts";
import { withPlainIds } from "./plain-ids.ts";
import { modelScript } from "./scripted.ts";
import { sentRequest } from "./sent-request.ts";
import { Turns } from "./turns.ts";
import { wireFeatures } from "./wire-features.ts";

export interface PiUnderTest {
  readonly pi: PiCommand;
  readonly format: PiRun["format"];
  readonly model: ScriptedModel;
}

export interface PiHarness extends HarnessUnderTest {
  close(): Promise<void>;
}

const extensions = [extensionPath(), probePath, join(import.meta.dirname, "probe-tool-extension.ts")];

/** A request that failed is sent again, at once. */
const settings = { retry: { enabled: true, maxRetries: 2, baseDelayMs: 1 } };

/**
 * A real Pi with this extension. One home and, but where a conversation ends it, one process serve all conversations, since a
 * start takes a second; each has a Pi session and a database of its own.
 */
export async function openPiHarness({ pi, format, model }: PiUnderTest): Promise<PiHarness> {
  const play = model.play([]);
  const home = await createPiHome({ play, settings });
  const world: World = { home, play, turns: new Turns({ pi, home, format, extensions }) };
  let last: Promise<unknown> = Promise.resolve();
  return {
    name: `Pi ${pi.version} over ${format}`,
    features: wireFeatures[format],
    play(conversation) {
      const run = last.then(() => played(world, conversation));
      last = run.catch(() => undefined);
      return run;
    },
    close: () => home.remove(),
  };
}

interface World {
  readonly home: PiHome;
  readonly play: Play;
  readonly turns: Turns;
}

async function played({ home, play, turns }: World, conversation: HarnessConversation): Promise<HarnessRun> {
  const store = join(home.folder, `${conversation.id}.sqlite`);
  await useStore(home, store);
  let before = play.requests.length;
  for (const part of [conversation.elsewhere ?? [], conversation.turns]) {
    if (part.length === 0) continue;
    before = play.requests.length;
    await turns.begin();
    for (const turn of part) {
      play.next(modelScript(turn));
      await turns.play(turn, store);
    }
  }
  const file = await turns.leave();
  const usages = conversation.turns.flatMap((turn) => modelScript(turn).map(({ usage }) => usage));
  return {
    requests: play.requests.slice(before).map((request, at) => sentRequest(request, usages[at])),
    stored: await storedIn(store, (await links(home, file)).at(-1)?.session),
  };
}

/** From the next session on. */
async function useStore({ agentDir }: PiHome, store: string): Promise<void> {
  const file = join(agentDir, "context-manager", "settings.json");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ store }));
}

async function storedIn(path: string, session: string | undefined) {
  if (session === undefined) return undefined;
  const store = openSqliteStore({ path, readOnly: true });
  try {
    const stored = await readStoredSession(store, session, (at) => rebuildPrompt(store, at, rendererFor));
    return stored === undefined ? undefined : withPlainIds(stored);
  } finally {
    await store.close();
  }
}
