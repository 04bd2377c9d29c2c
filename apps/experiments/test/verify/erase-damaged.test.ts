// Verifies: F13: a damaged object ends a session with its name, and the session goes on once the object was erased, or in what a
// recovery made of the file.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultPrices } from "@cm/context-log";
import type { Recording } from "@cm/recordings";
import { layouts } from "@cm/render";
import { rendererFor, replayRecording } from "@cm/replay";
import { generatedContent } from "@cm/replay/generated";
import { eraseObjects, openSession } from "@cm/session";
import { openSqliteStore, recoverSqliteStore } from "@cm/store-sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { openUnguarded, rowsOf } from "./support/tampering.ts";

const damages = {
  text: "UPDATE blob SET enc = 0, data = zeroblob(size) WHERE bid = (SELECT bid FROM version WHERE vid = ?)",
  payload: "UPDATE version SET enc = 0, payload = CAST('{}' AS BLOB) WHERE vid = ?",
} as const;

describe.each(["text", "payload"] as const)("a session of which the %s of a call is damaged", (part) => {
  it("goes on once the call was erased", async () => {
    const { path, damaged } = await damagedSession(part);

    await expect(goOn(path)).rejects.toMatchObject({ code: "store/corrupt", data: { id: damaged } });
    const store = openSqliteStore({ path });
    const { erased } = await eraseObjects(store, [damaged], "damaged");
    await store.close();

    expect(erased).toEqual([damaged]);
    expect(await goOn(path)).toContain("erased");
  });

  it("goes on in the file that a recovery made, where the call is said to be missing", async () => {
    const { path, damaged } = await damagedSession(part);
    const to = `${path}.recovered`;

    const receipt = recoverSqliteStore({ path, to });

    expect(receipt.rowsRefused).toBeGreaterThan(0);
    const prompt = await goOn(to);
    expect(prompt).toContain("missing");
    expect(prompt).toContain(damaged.slice(-1));
  });
});

async function damagedSession(
  part: keyof typeof damages,
): Promise<{ readonly path: string; readonly damaged: string }> {
  const folder = mkdtempSync(join(tmpdir(), "cm-erase-damaged-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "store.sqlite");
  const content = generatedContent({ seed: 7, calls: 6, lines: 60 });
  const recording: Recording = { ...content, format: "pi", id: "made", cwd: "/made", skippedLines: 0, warnings: [] };
  const store = openSqliteStore({ path });
  await replayRecording(recording, { store, layout: layouts.log, session: "made", prices: defaultPrices });
  await store.close();
  const database = openUnguarded(path);
  const row = rowsOf(database).find(({ id, bid }) => id.startsWith("call_") && bid !== null) ?? expect.unreachable();
  database.prepare(damages[part]).run(row.vid);
  database.close();
  return { path, damaged: row.id };
}

/** What a person asks next, and the prompt that goes out with it. */
async function goOn(path: string): Promise<string> {
  const store = openSqliteStore({ path });
  try {
    const session = await openSession({ store, layout: layouts.log, rendererFor, session: "made" });
    await session.receive([{ role: "user", text: "And now?" }]);
    const { messages } = await session.assemble();
    await session.abandon();
    return JSON.stringify(messages);
  } finally {
    await store.close();
  }
}
