import { createMemoryStore, type ObjectStore } from "@cm/object-model";
import { SessionScript } from "@cm/testkit";
import { bundleOf } from "./bytes.ts";
import { at, Files } from "./files.ts";
import { openOn } from "./stage.ts";

export interface Sample {
  readonly store: ObjectStore;
  readonly session: string;
  readonly files: Files;
  readonly bytes: Buffer;
}

/** A store whose clock goes on by a second with every question. */
export function tickingStore(startMs = Date.UTC(2024, 0, 1)): ObjectStore {
  let nowMs = startMs;
  return createMemoryStore({ now: () => (nowMs += 1_000) });
}

/**
 * A small session with a little of everything: a file in two versions, tool calls, an attachment, two system prompts,
 * a keyframe, and something taken in when it was closed.
 */
export async function sample(store: ObjectStore = tickingStore(), session = "s", steps = 4): Promise<Sample> {
  const files = new Files(
    new Map([
      ["/a.ts", "let a = 1;"],
      ["/b.md", "# b"],
    ]),
  );
  const open = await openOn({ store, files }, session);
  for (let step = 0; step < steps; step += 1) {
    if (step === 2) files.write("/a.ts", "let a = 2;");
    const touched = [{ binding: at(step % 2 === 0 ? "/a.ts" : "/b.md"), as: "read" as const }];
    await new SessionScript()
      .say(`do ${step}`, step === 0 ? [picture] : undefined)
      .read("/a.ts", `text ${step}`, { callId: `${session}-${step}`, files: touched })
      .playInto(open, step === 2 ? { systemPrompt: "You are another test." } : {});
  }
  if (steps >= 4) await open.receive([{ role: "user", text: "and then" }]);
  await open.close();
  return { store, session, files, bytes: await bundleOf(store, session) };
}

const picture = { mime: "image/png", data: new Uint8Array([1, 2, 3]) };
