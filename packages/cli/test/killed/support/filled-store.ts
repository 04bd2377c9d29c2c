import type { Source } from "@cm/object-model";
import { plainLayout, plainPolicy, rendererFor } from "@cm/render";
import { openSession } from "@cm/session";
import { openSqliteStore } from "@cm/store-sqlite";
import { createRandom } from "@cm/testkit";
import { MapSource } from "../../support/sample-store.ts";

export const secret = "the-word-that-has-to-go";
export const secretPath = "/project/secret.txt";

/** A file with one session: a file that changes before every step, and one that is read again and again. */
export async function fillStore(path: string, session: string, steps: number): Promise<void> {
  const random = createRandom(steps);
  const source = new MapSource();
  const store = openSqliteStore({ path });
  source.files.set(secretPath, `${secret}\n${drawn(random, 200)}`);
  let now = Date.UTC(2026, 0, 2, 3, 4, 5);
  const opened = await openSession({
    ...{
      store,
      session,
      layout: { policy: plainPolicy, renderer: plainLayout },
      rendererFor,
      systemPrompt: "Be brief.",
    },
    sources: [source as Source],
    now: () => {
      now += 1_000;
      return now;
    },
  });
  await opened.receive([{ role: "user", text: "Look at the files." }]);
  for (let step = 0; step < steps; step += 1) {
    const path = step % 3 === 0 ? secretPath : "/project/notes.txt";
    source.files.set("/project/notes.txt", `${step}\n${drawn(random, 800)}`);
    const text = source.files.get(path) ?? "";
    const callId = `call-${session}-${step}`;
    const binding = { type: "filesystem", filesystemId: `disk-${session}`, path };
    await opened.assemble();
    await opened.record({
      answer: { role: "assistant", text: "", calls: [{ callId, tool: "read", args: { path } }] },
      results: [
        {
          ...{ role: "tool", callId, text: step % 2 === 0 ? text : `${drawn(random, 400)}\n`, failed: false },
          files: [{ binding, as: "read", span: { startLine: 1 } }],
        },
      ],
    });
  }
  await opened.close();
  await store.close();
}

/** Lines that nothing makes shorter. */
function drawn(random: ReturnType<typeof createRandom>, words: number): string {
  return Array.from(
    { length: words },
    (_, n) => `${random.below(2 ** 31).toString(36)}${n % 12 === 11 ? "\n" : " "}`,
  ).join("");
}
