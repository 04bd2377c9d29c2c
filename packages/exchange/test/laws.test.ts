// @module-tag long
// Verifies: a file, through a store, is the same file, and a session, through a file, is the same session.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSessionContext, dialects, type SessionEntry } from "@cm/journal";
import { createMemoryStore, everyVersion, isDocumentOf, type ObjectStore } from "@cm/object-model";
import { verifyStore } from "@cm/session/verify";
import { forSeeds } from "@cm/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportSession, importSession } from "../src/index.ts";
import { allOf } from "./all-of.ts";
import { randomSession } from "./random-session.ts";

const seeds = { short: 25, long: 3000, file: "packages/exchange/test/laws.test.ts" };

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cm-exchange-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let files = 0;
async function written(lines: readonly unknown[]): Promise<string> {
  files += 1;
  const file = join(folder, `${files}.jsonl`);
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

async function exported(store: ObjectStore, session: string, as: "pi" | "omp"): Promise<string> {
  const { lines } = await exportSession(store, session, { as, cwd: "/" });
  return (await allOf(lines)).join("");
}

function bound(store: ObjectStore): ObjectStore {
  return {
    contract: store.contract,
    getMany: (...args) => store.getMany(...args),
    commit: (...args) => store.commit(...args),
    history: (...args) => store.history(...args),
    find: (...args) => store.find(...args),
    erase: (...args) => store.erase(...args),
  };
}

/** What steps say, without what depends on when they were written. */
async function steps(store: ObjectStore, session: string): Promise<readonly unknown[]> {
  const said: unknown[] = [];
  for await (const { document } of everyVersion((page) => store.find({ session }, { ...page, documents: true }))) {
    if (isDocumentOf(document, "step")) {
      const { basis, content_hash, chain, ...rest } = document as typeof document & { chain?: string };
      said.push(rest);
    } else if (isDocumentOf(document, "toolcall")) said.push(document);
    else if (isDocumentOf(document, "session")) said.push([document.head, document.next_step, document.pending]);
  }
  return said;
}

describe("a file of a random tree", () => {
  test("comes back as it was, with the same context at every leaf", async () => {
    await forSeeds(seeds, async (random) => {
      const { header, entries } = randomSession(random, `s${random.below(1e9)}`);
      const store = createMemoryStore();

      await importSession(store, await written([header, ...entries]), { batchCharsMax: random.pick([1, 500, 1e9]) });
      const as = random.pick(["pi", "omp"] as const);
      const [first, ...lines] = (await exported(store, String(header.id), as)).trimEnd().split("\n");

      const expected = entries.map((entry) => JSON.stringify(dialects[as].encode(entry as unknown as SessionEntry)));
      expect(JSON.parse(first ?? "")).toEqual(header);
      expect(lines).toEqual(expected);
      const again = lines.map((line) => JSON.parse(line) as SessionEntry);
      const parsed = JSON.parse(JSON.stringify(entries)) as SessionEntry[];
      for (const leaf of [null, ...entries.map(({ id }) => String(id))])
        expect(buildSessionContext(again, leaf, undefined, { dialect: as })).toEqual(
          buildSessionContext(parsed.map(dialects[as].encode), leaf, undefined, { dialect: as }),
        );
      expect(await allOf(verifyStore(store))).toEqual([]);
    });
  });

  test("whose import ends anywhere goes on when it is repeated", async () => {
    await forSeeds(seeds, async (random) => {
      const { header, entries } = randomSession(random, `i${random.below(1e9)}`);
      const store = createMemoryStore();
      const file = await written([header, ...entries]);
      for (let cut = random.below(4); cut >= 0; cut -= 1) {
        let left = random.below(cut > 0 ? 4 : 12);
        const dying: ObjectStore = {
          ...bound(store),
          commit: (...args) => (left-- > 0 ? store.commit(...args) : Promise.reject(new Error("gone"))),
        };
        await importSession(dying, file, { batchCharsMax: 300 }).catch(() => undefined);
      }

      await importSession(store, file);

      const once = createMemoryStore();
      await importSession(once, file);
      const id = String(header.id);
      expect(await exported(store, id, "omp")).toBe(await exported(once, id, "omp"));
      expect(await allOf(verifyStore(store))).toEqual([]);
    });
  });

  test("that grew is as if it had been imported once", async () => {
    await forSeeds(seeds, async (random) => {
      const { header, entries } = randomSession(random, `g${random.below(1e9)}`);
      const store = createMemoryStore();
      const cut = 1 + random.below(entries.length);
      await importSession(store, await written([header, ...entries.slice(0, cut)]), {
        batchCharsMax: random.pick([1, 1e9]),
      });
      const file = await written([header, ...entries]);

      const second = await importSession(store, file);
      const third = await importSession(store, file);

      expect(second.outcome).toBe(cut === entries.length ? "unchanged" : "extended");
      expect(third).toMatchObject({ outcome: "unchanged", steps: 0, entries: 0 });
      const text = await exported(store, String(header.id), "omp");
      const once = createMemoryStore();
      await importSession(once, file);
      expect(text).toBe(await exported(once, String(header.id), "omp"));
      expect(await allOf(verifyStore(store))).toEqual([]);
    });
  });

  test("makes the same session in another store", async () => {
    await forSeeds(seeds, async (random) => {
      const { header, entries } = randomSession(random, `t${random.below(1e9)}`);
      const [store, other] = [createMemoryStore(), createMemoryStore()];
      await importSession(store, await written([header, ...entries]));
      const file = join(folder, "again.jsonl");
      await writeFile(file, await exported(store, String(header.id), "omp"));

      await importSession(other, file, { batchCharsMax: 700 });

      expect(await steps(other, String(header.id))).toEqual(await steps(store, String(header.id)));
    });
  });
});
