import { type ObjectStore, type Source, sessionObjectId } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { openSession, type Session } from "@cm/session";
import type { Files } from "./files.ts";

export interface Stage {
  readonly store: ObjectStore;
  readonly files: Files;
  readonly layout?: keyof typeof layouts;
}

/** A session as an app opens it: real policy, real renderer, a source, a redactor. One that exists keeps its prompt. */
export async function openOn({ store, files, layout = "log" }: Stage, session: string): Promise<Session> {
  const isThere = (await store.getMany([sessionObjectId(session)])).size > 0;
  return openSession({
    store,
    layout: layouts[layout],
    rendererFor,
    sources: [files as Source],
    session,
    ...(isThere ? {} : { systemPrompt: "You are a test." }),
    redact: (text) => ({ text: text.replaceAll("hunter2", "[secret]"), count: text.split("hunter2").length - 1 }),
    keyframeEverySteps: 3,
    now: () => 1_700_000_000_000,
    leaseMs: 0,
  });
}
