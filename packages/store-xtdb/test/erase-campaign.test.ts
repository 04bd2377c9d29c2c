// @module-tag xtdb
// @module-tag long
// Verifies: T7 on XTDB: after an erasure, a compaction and an index made anew, no route and no file gives what was erased.
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { chatId, type ObjectDocument, sealDocument } from "@cm/object-model";
import { expect, it } from "vitest";
import { openXtdbStore, type XtdbObjectStore } from "../src/index.ts";
import { past, whatRoutesGive } from "./support/all-routes.ts";
import { file, testTypes, toolcall } from "./support/documents.ts";
import { freshFolder } from "./support/folder.ts";
import { freshNamespace, withNodes } from "./support/live-node.ts";
import { startOn } from "./support/own-node.ts";
import { campaign, createRandom, type Random, runSeed } from "./support/random.ts";

const canary = `leaked-${randomUUID()}`;
const objects = campaign ? 200 : 12;
const versionsMax = campaign ? 20 : 3;
const program = fileURLToPath(new URL("../../../xtdb/launch/cli.ts", import.meta.url));

/** A scan ends with 3 where it finds the text. */
function maintain(...args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], (_, stdout) =>
      resolve({ code: child.exitCode ?? -1, stdout }),
    );
  });
}

/** Short texts stand in the document, longer ones by themselves. Pieces of an id are no secret. */
function drawnDocument(random: Random, { place, n, mark }: { place: number; n: number; mark: string }): ObjectDocument {
  const text = `${mark} ${place} ${n} `.repeat(random.pick([1, 1, 300]));
  const id = `object ${place}`;
  return (
    [
      () => toolcall(id, text),
      () => toolcall(id, `${place} ${n}`, { args: { [mark]: text }, tool: mark, chat_ref: chatId(`${mark} ${place}`) }),
      () => file(`/${mark}/${place}`, text, `etag ${n}`),
      () =>
        sealDocument(
          { type: "page", source: { type: "web", url: `${mark} ${place}` } },
          { weight: n, content: text },
          testTypes,
        ),
    ][place % 4]?.() ?? toolcall(id, text)
  );
}

const title = "leave nothing of erased objects, and the others whole";
withNodes("erasing, compacting and a new index", () => {
  it(title, async () => {
    const { seed, replay } = runSeed(title);
    const random = createRandom(seed);
    const [folder, namespace] = [freshFolder(), freshNamespace()];
    const first = await startOn(folder);
    const openOn = ({ client }: Pick<typeof first, "client">) => openXtdbStore({ client, namespace, types: testTypes });
    const store = openOn(first);
    const secret = new Set<string>();
    const kept = new Set<string>();
    const left = Array.from({ length: objects }, (_, place) => 1 + random.below(versionsMax) + place * 100);
    let basis = "";
    for (let n = 0; left.length > 0; n += 1) {
      const at = random.below(left.length);
      const number = left[at] ?? 0;
      const place = Math.floor(number / 100);
      if (number % 100 === 1) left.splice(at, 1);
      else left[at] = number - 1;
      const mark = place % 3 === 0 ? canary : "harmless";
      const document = drawnDocument(random, { place, n, mark });
      (place % 3 === 0 ? secret : kept).add(document["xt/id"]);
      const options = random.chance(0.2) ? { validTime: past } : {};
      const receipt = await store.commit([{ document, expect: "any" }], options);
      basis ||= receipt.basis;
    }
    const refused = await loseRaces([openOn(first), openOn(first)]);
    // A long text stands by itself: where its commit was refused it goes when an object that has it is erased.
    for (const [n, { content }] of refused.entries()) {
      await store.commit([{ document: toolcall(`refused ${n}`, content), expect: "absent" }]);
      secret.add(`refused ${n}`);
    }
    secret.add("raced");
    const readAll = async (reading: XtdbObjectStore) =>
      JSON.stringify([
        await Promise.all([...secret, ...kept].map((id) => reading.history(id, { documents: true }))),
        ...(await Promise.all(
          ["toolcall", "file", "page"].map(
            async (type) => (await reading.find({ type }, { documents: true })).versions,
          ),
        )),
      ]);
    expect((await whatRoutesGive(first.client, { namespace, basis, canary })).split(canary).length).toBeGreaterThan(20);

    await store.erase([...secret], "leaked");
    const erased = await readAll(store);
    const routes = await whatRoutesGive(first.client, { namespace, basis, canary });
    await first.stop();
    const compacted = await maintain("compact", folder);
    const scanned = await maintain("scan", folder, canary);
    const second = await startOn(folder);
    const again = await whatRoutesGive(second.client, { namespace, basis, canary });

    expect(erased, replay).not.toContain(canary);
    expect(routes, replay).not.toContain(canary);
    expect(again, replay).not.toContain(canary);
    expect(await readAll(openOn(second)), replay).toBe(erased);
    expect([compacted.code, scanned.code], replay).toEqual([0, 0]);
    expect(compacted.stdout).toMatch(/^indices: removed.*\ndocs: compacted.*\ntx-log: compacted.*\n$/);
    await second.stop();
  });
});

/**
 * Compare-and-set writes of which each round refuses one, mostly inside the node.
 * @returns the documents that were refused
 */
async function loseRaces(stores: readonly [XtdbObjectStore, XtdbObjectStore]): Promise<readonly ObjectDocument[]> {
  const { results } = await stores[0].commit([{ document: toolcall("raced", canary), expect: "absent" }]);
  const refused: ObjectDocument[] = [];
  let token = results[0]?.token ?? "absent";
  for (let round = 0; round < 4; round += 1) {
    const documents = stores.map((_, side) =>
      toolcall("raced", `${canary} ${round} ${side} `.repeat(round < 2 ? 1 : 300)),
    );
    const outcomes = await Promise.allSettled(
      documents.map((document, side) => stores[side]?.commit([{ document, expect: token }])),
    );
    refused.push(...documents.filter((_, side) => outcomes[side]?.status === "rejected"));
    const won = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(won).toHaveLength(1);
    token = won[0]?.results[0]?.token ?? "";
  }
  return refused;
}
