import { randomUUID } from "node:crypto";
import { chatId, type ObjectDocument, sealDocument } from "@cm/object-model";
import { expect } from "vitest";
import { openXtdbStore, type XtdbObjectStore } from "../../../src/index.ts";
import { past, whatRoutesGive } from "../all-routes.ts";
import { file, testTypes, toolcall } from "../documents.ts";
import { freshNamespace } from "../live-node.ts";
import { campaign, type Random } from "../random.ts";
import type { Chapter, Running } from "./chapter.ts";

/** In all that is erased. */
export const canary = `leaked-${randomUUID()}`;
const objects = campaign ? 200 : 12;
const versionsMax = campaign ? 20 : 3;

/** Random versions of objects of all kinds, a third of which are erased. */
export const erasedObjects: Chapter = async (first, { random, replay }) => {
  const namespace = freshNamespace();
  const storeOf = ({ client }: Running) => openXtdbStore({ client, namespace, types: testTypes });
  const store = storeOf(first);
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
  const refused = await loseRaces([storeOf(first), storeOf(first)]);
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
        ["toolcall", "file", "page"].map(async (type) => (await reading.find({ type }, { documents: true })).versions),
      )),
    ]);
  const routesOf = ({ client }: Running) => whatRoutesGive(client, { namespace, basis, canary });
  expect((await routesOf(first)).split(canary).length).toBeGreaterThan(20);

  await store.erase([...secret], "leaked");
  const erased = await readAll(store);
  expect(erased, replay).not.toContain(canary);
  expect(await routesOf(first), replay).not.toContain(canary);

  return async (second) => {
    expect(await routesOf(second), replay).not.toContain(canary);
    expect(await readAll(storeOf(second)), replay).toBe(erased);
  };
};

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
