// Verifies: a verification reads large documents in answers of a bounded size, and named ones once.
import {
  charsIn,
  chatId,
  createMemoryStore,
  type ObjectDocument,
  type ObjectStore,
  sealDocument,
} from "@cm/object-model";
import { verifyStore } from "@cm/session/verify";
import { expect, it } from "vitest";

const outputChars = 250_000;
const calls = 200;

const call = (n: number): ObjectDocument =>
  sealDocument(
    { type: "toolcall", id: `call-${n}` },
    {
      content: `${n}`.repeat(outputChars).slice(0, outputChars),
      tool: "bash",
      args: {},
      status: "ok",
      chat_ref: chatId("s"),
    },
  );

it("asks for few large calls at a time", async () => {
  const store = createMemoryStore();
  await store.commit(Array.from({ length: calls }, (_, n) => ({ document: call(n), expect: "any" })));
  const answers: number[] = [];
  // As a store that is far away gives histories.
  const far: ObjectStore = {
    contract: store.contract,
    commit: (...args) => store.commit(...args),
    erase: (...args) => store.erase(...args),
    find: (...args) => store.find(...args),
    getMany: (...args) => store.getMany(...args),
    history: (...args) => store.history(...args),
    async histories(ids, page) {
      const pages = new Map(await Promise.all(ids.map(async (id) => [id, await store.history(id, page)] as const)));
      answers.push(charsIn([...pages.values()].flatMap(({ versions }) => versions)));
      return pages;
    },
  };

  const findings = [];
  for await (const finding of verifyStore(far)) findings.push(finding);

  // Each names a chat that is not there, so each was looked at.
  expect(findings).toHaveLength(calls);
  expect(answers.reduce((sum, chars) => sum + chars, 0)).toBeLessThan((calls + 1) * outputChars);
  expect(Math.max(...answers)).toBeLessThanOrEqual(34 * outputChars);
});
