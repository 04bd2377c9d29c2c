// Verifies: recorded sessions come back as they were: small ones of three agents, or the folder that CM_RECORDINGS names.
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSessionContext, migrateSessionEntries, parseSessionText, type SessionEntry } from "@cm/journal";
import { createMemoryStore } from "@cm/object-model";
import { verifyStore } from "@cm/session/verify";
import { afterAll, describe, expect, test } from "vitest";
import { exportSession, importSession } from "../src/index.ts";
import { allOf } from "./all-of.ts";
import { smallRecordings } from "./support/small-recordings.ts";

const made = mkdtempSync(join(tmpdir(), "cm-exchange-"));
afterAll(() => rmSync(made, { recursive: true, force: true }));
for (const [name, lines] of Object.entries(smallRecordings))
  writeFileSync(join(made, `${name}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));

const folder = process.env.CM_RECORDINGS ?? made;
const files = globSync("**/*.jsonl", { cwd: folder }).map((name) => join(folder, name));

function contexts(text: string): readonly unknown[] {
  const { entries } = parseSessionText(text);
  migrateSessionEntries(entries);
  const own = entries.slice(1) as SessionEntry[];
  // Ids of the first version are made when it is read.
  return own.map(({ id }) => buildSessionContext(own, id, undefined, { dialect: "pi" }));
}

describe("recorded sessions", () => {
  test.each(files)("%s", async (file) => {
    const store = createMemoryStore();
    const { session, agent, steps } = await importSession(store, file);
    const { lines } = await exportSession(store, session, { as: "pi", cwd: "/" });
    const text = (await allOf(lines)).join("");

    expect(steps).toBeGreaterThan(0);
    if (agent === "pi") expect(contexts(text)).toEqual(contexts(readFileSync(file, "utf8")));
    else {
      const place = await mkdtemp(join(tmpdir(), "cm-exchange-"));
      await writeFile(join(place, "again.jsonl"), text);
      const again = await importSession(createMemoryStore(), join(place, "again.jsonl"));
      expect(again).toMatchObject({ session, steps });
      await rm(place, { recursive: true });
    }
    expect(await allOf(verifyStore(store))).toEqual([]);
  });
});
