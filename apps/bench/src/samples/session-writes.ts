import { createMemoryStore, type Write } from "@cm/object-model";
import { layouts } from "@cm/render";
import { openSession } from "@cm/session";
import { observedStore } from "../observed-store.ts";
import { sampleText } from "./sample-documents.ts";

/** The commits of a session's steps: an answer, a call with an output of 3,000 characters, a step and two heads each. */
export async function sessionWrites(session: string, steps: number): Promise<readonly (readonly Write[])[]> {
  const commits: (readonly Write[])[] = [];
  const store = observedStore(createMemoryStore(), (commit, writes) => {
    // In which order sessions come to a database is not known beforehand, so nothing is expected of it.
    commits.push(writes.map(({ document }) => ({ document, expect: "any" })));
    return commit();
  });
  const opened = await openSession({ store, layout: layouts.log, session });
  const seed = [...session].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 100_000;
  for (let n = 0; n < steps; n += 1) {
    const id = `${session}-call-${n}`;
    await opened.receive([{ role: "user", text: `What does part ${n} do?` }]);
    await opened.assemble();
    await opened.record({
      answer: {
        role: "assistant",
        text: sampleText(seed + n, 200),
        calls: [{ callId: id, tool: "bash", args: { command: `cat part-${n}.ts` } }],
      },
      results: [{ role: "tool", callId: id, text: sampleText(seed * 3 + n, 3_000), failed: false }],
    });
  }
  await opened.abandon();
  return commits;
}
