import type { FileTouch } from "@cm/context-log";
import { createMemoryStore, limits, type ObjectStore, objectIdOf } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { openSession, type Session } from "@cm/session";
import { createFilesystemSource } from "@cm/sources-fs";
import { onTestFinished } from "vitest";
import { onDisk } from "./storm-operations.ts";

export interface StormSession {
  readonly session: Session;
  /** One step of an agent that only talks: a sweep, a request, its answer. */
  step(): Promise<void>;
  /** Makes a step, and says which files were stored otherwise than they are on disk when its request was ready. */
  stale(): Promise<readonly string[]>;
  /** Paths whose history holds a version that says "deleted". */
  everDeleted(): Promise<readonly string[]>;
}

/** A session with tracker over a real folder, in which the agent has read all these files. */
export async function stormSession(root: string, paths: readonly string[]): Promise<StormSession> {
  const store = createMemoryStore();
  const source = createFilesystemSource({ roots: [root] });
  onTestFinished(() => source.close());
  const session = await openSession({
    store,
    layout: layouts.log,
    rendererFor,
    sources: [source],
    track: true,
    session: "s",
  });
  onTestFinished(() => session.close());
  const bindings = await Promise.all(paths.map((path) => source.bind(path)));
  const ids = bindings.map((binding) => objectIdOf({ type: "file", source: binding }));
  const idOf = new Map(paths.map((path, n) => [path, ids[n] ?? ""]));
  await session.assemble();
  await session.record(reading(bindings.map((binding) => ({ binding, as: "read" }))));

  const said = { answer: { role: "assistant" as const, text: "on" } };
  return {
    session,
    async step() {
      await session.assemble();
      await session.record(said);
    },
    async stale() {
      await session.assemble();
      const stored = await textsOf(store, ids);
      await session.record(said);
      return paths.filter((path) => stored.get(idOf.get(path) ?? "") !== onDisk(path));
    },
    async everDeleted() {
      const deleted: string[] = [];
      for (const [path, id] of idOf) if ((await reasonsOf(store, id)).includes("deleted")) deleted.push(path);
      return deleted;
    },
  };
}

/** A step that read these files, in calls of 500. */
function reading(touches: readonly FileTouch[]) {
  const results = Array.from({ length: Math.ceil(touches.length / 500) }, (_, n) => ({
    role: "tool" as const,
    callId: `read-${n}`,
    text: "read",
    failed: false,
    files: touches.slice(n * 500, (n + 1) * 500),
  }));
  const calls = results.map(({ callId }) => ({ callId, tool: "read", args: {} }));
  return { answer: { role: "assistant" as const, text: "", calls }, results };
}

/** The newest stored texts; undefined where the newest version has none. */
async function textsOf(store: ObjectStore, ids: readonly string[]): Promise<ReadonlyMap<string, string | undefined>> {
  const texts = new Map<string, string | undefined>();
  for (let at = 0; at < ids.length; at += 500) {
    const versions = await store.getMany(ids.slice(at, at + 500));
    for (const [id, { document }] of versions) {
      texts.set(id, typeof document?.content === "string" ? document.content : undefined);
    }
  }
  return texts;
}

async function reasonsOf(store: ObjectStore, id: string): Promise<readonly unknown[]> {
  const reasons: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.history(id, { documents: true, limit: limits.pageRowsMax, ...(cursor && { cursor }) });
    for (const { document } of page.versions) reasons.push(document?.null_reason);
    cursor = page.next;
  } while (cursor !== undefined);
  return reasons;
}
