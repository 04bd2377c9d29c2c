// Verifies: a copy reads large documents in answers of a bounded size, and those that it need not read not at all.
import { charsIn, createMemoryStore, type ObjectStore } from "@cm/object-model";
import { SessionScript } from "@cm/testkit";
import { expect, it } from "vitest";
import { copyStore } from "../src/index.ts";
import { Files } from "./support/files.ts";
import { openOn } from "./support/stage.ts";

interface Answer {
  readonly method: string;
  readonly chars: number;
}

/** A store that says how large its answers are, and gives many histories at once as one that is far away does. */
function watched(store: ObjectStore, answers: Answer[]): ObjectStore {
  const told = <T extends object>(method: string, answer: T, documents: Parameters<typeof charsIn>[0]): T => {
    answers.push({ method, chars: charsIn(documents) });
    return answer;
  };
  return {
    contract: store.contract,
    commit: (...args) => store.commit(...args),
    erase: (...args) => store.erase(...args),
    async getMany(...args) {
      const found = await store.getMany(...args);
      return told("getMany", found, found.values());
    },
    async find(...args) {
      const page = await store.find(...args);
      return told("find", page, page.versions);
    },
    async history(...args) {
      const page = await store.history(...args);
      return told("history", page, page.versions);
    },
    async histories(ids, page) {
      const pages = new Map(await Promise.all(ids.map(async (id) => [id, await store.history(id, page)] as const)));
      return told(
        "histories",
        pages,
        [...pages.values()].flatMap(({ versions }) => versions),
      );
    },
  };
}

it("of 300 calls with outputs of 250,000 characters asks seldom, and for few of them at a time", async () => {
  const first = createMemoryStore();
  const session = await openOn({ store: first, files: new Files() }, "large");
  for (let n = 0; n < 300; n += 1) {
    await new SessionScript()
      .say(`step ${n}`)
      .call("bash", { command: `step ${n}` }, `${n}`.repeat(250_000).slice(0, 250_000), { callId: `call-${n}` })
      .playInto(session);
  }
  await session.close();
  const [from, to]: [Answer[], Answer[]] = [[], []];

  await copyStore(watched(first, from), ({ now }) => watched(createMemoryStore({ now }), to));

  const most = (answers: readonly Answer[], method: string) =>
    Math.max(0, ...answers.filter((answer) => answer.method === method).map(({ chars }) => chars));
  // Steps alone: outputs are read once, transaction by transaction.
  expect(most(from, "find")).toBeLessThan(250_000);
  expect(most(from, "histories")).toBe(0);
  // Of 75 million characters, small objects among them.
  expect(most(to, "histories")).toBeLessThan(15_000_000);
  expect(to.filter(({ method }) => method !== "find").length).toBeLessThan(40);
});
