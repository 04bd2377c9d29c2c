import { createMemoryStore, type ObjectStore } from "@cm/object-model";
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
    await open.receive([{ role: "user", text: `do ${step}`, ...(step === 0 ? picture : {}) }]);
    await open.assemble(step === 2 ? { systemPrompt: "You are another test." } : {});
    const callId = `${session}-${step}`;
    await open.record({
      answer: { role: "assistant", text: "", calls: [{ callId, tool: "read", args: { path: "/a.ts" } }] },
      results: [
        {
          role: "tool",
          callId,
          text: `text ${step}`,
          failed: false,
          files: [{ binding: at(step % 2 === 0 ? "/a.ts" : "/b.md"), as: "read" }],
        },
      ],
    });
  }
  if (steps >= 4) await open.receive([{ role: "user", text: "and then" }]);
  await open.close();
  return { store, session, files, bytes: await bundleOf(store, session) };
}

const picture = { attachments: [{ mime: "image/png", data: new Uint8Array([1, 2, 3]) }] };
