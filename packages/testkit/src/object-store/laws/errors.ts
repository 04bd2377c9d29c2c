import assert from "node:assert/strict";
import { inspect } from "node:util";
import { type CmError, isCmError, type ObjectDocument, type ObjectStore } from "@cm/object-model";
import { put, refused, textAt } from "../asking.ts";
import { file, paper, systemPrompt, toolcall } from "../samples.ts";
import type { Stage, StoreLaw } from "../store-case.ts";

const canary = "CANARY-c0ffee";
const requestId = "r-1";

/** Operations that must be refused, each with the canary in every place where content can stand. */
async function refusals({ store }: Stage): Promise<readonly CmError[]> {
  const document = toolcall("call_1", `${canary} text`, { args: { [canary]: canary }, args_display: canary });
  const first = await put(store, [document, paper("note", "paper:1", canary)], { requestId });
  const token = first.results[0]?.token ?? "";
  await put(store, [toolcall("call_1", canary)]);
  const forged = (fields: Readonly<Record<string, unknown>>): readonly ObjectDocument[] => [{ ...document, ...fields }];
  return Promise.all([
    refused(store.commit([{ document, expect: "absent" }]), "store/conflict"),
    refused(store.commit([{ document, expect: token }]), "store/conflict"),
    refused(put(store, [paper("memo", "paper:1", canary)]), "store/envelope-changed"),
    refused(put(store, [systemPrompt("s2", canary)], { requestId }), "store/request-reused"),
    refused(put(store, forged({ content: `${canary}!` })), "store/invalid-document"),
    refused(put(store, forged({ content: { canary } })), "store/invalid-document"),
    refused(put(store, forged({ content: `${canary}\uD800` })), "store/invalid-document"),
    refused(put(store, forged({ args: { a: `${canary}\uD800` } })), "store/invalid-document"),
    refused(put(store, forged({ args: { a: [Symbol(canary)] } })), "store/invalid-document"),
    refused(put(store, forged({ status: canary })), "store/invalid-document"),
    refused(put(store, forged({ [canary]: canary })), "store/invalid-document"),
    refused(put(store, forged({ type: canary })), "store/invalid-document"),
    refused(
      put(store, [{ ...file("/w/a.ts", canary), source: { type: canary, path: `${canary}\uD800` } }]),
      "store/invalid-document",
    ),
    refused(put(store, [document, document]), "store/invalid-document"),
    refused(store.find({ text: canary, path: canary, tool: canary }), "store/unsupported"),
    refused(store.getMany(["call_1"], canary), "store/unknown-basis"),
    refused(store.erase(["call_1"], canary.repeat(1_000)), "store/limit"),
  ]);
}

/** Everything a log could print of an error, its causes included. */
function printed(error: unknown): string {
  const causes = error instanceof Error && error.cause !== undefined ? printed(error.cause) : "";
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: "" };
  return [message, stack, JSON.stringify(error), inspect(error, { depth: 9, showHidden: true }), causes].join("\n");
}

/** Lets a value of another type through. */
const given = (value: unknown): never => value as never;

/** What a caller without types may hand in, by the name of the argument. */
const wrongTypes: readonly (readonly [argument: string, ask: (store: ObjectStore) => Promise<unknown>])[] = [
  ["ids", (store) => store.getMany(given("call_1"))],
  ["ids", (store) => store.getMany([given(undefined)])],
  ["ids", (store) => store.history(given(null))],
  ["at", (store) => store.getMany(["call_1"], given(1))],
  ["at", (store) => store.getMany(["call_1"], given({ basis: 1 }))],
  ["writes", (store) => store.commit(given(null))],
  ["writes", (store) => store.commit([given({ document: "call_1", expect: "any" })])],
  ["requestId", (store) => put(store, [toolcall("call_1", "b")], { requestId: given(1) })],
  ["filter", (store) => store.find(given(null))],
  ["type", (store) => store.find({ type: given(1) })],
  ["text", (store) => store.find({ type: "toolcall", text: given(1) })],
  ["source", (store) => store.find({ source: given("filesystem") })],
  ["where", (store) => store.find({ type: "toolcall", where: given("status") })],
  ["cursor", (store) => store.find({ type: "toolcall" }, { cursor: given({}) })],
  ["limit", (store) => store.history("call_1", { limit: given("1") })],
  ["page", (store) => store.history("call_1", given(null))],
  ["named", (store) => store.erase(given("call_1"), "a reason")],
  ["named", (store) => store.erase([given({ version: "v1" })], "a reason")],
  ["reason", (store) => store.erase(["call_1"], given(1))],
];

export const errors: readonly StoreLaw[] = [
  {
    id: "OS-140",
    clause: "T18",
    title: "No refusal carries content, arguments or what was searched for, in message, data, stack or cause.",
    async holds(stage) {
      for (const error of await refusals(stage)) {
        assert.ok(!printed(error).includes(canary), `${error.code} repeats content.`);
      }
    },
  },
  {
    id: "OS-141",
    clause: "SSOT 2.8",
    title: "Every refusal is a CmError with a code of stores, a sentence and plain data.",
    async holds(stage) {
      for (const error of await refusals(stage)) {
        assert.ok(isCmError(error, error.code));
        assert.match(error.code, /^store\//);
        assert.ok(error.message.length > 10);
        assert.deepEqual(JSON.parse(JSON.stringify(error)), {
          code: error.code,
          message: error.message,
          data: JSON.parse(JSON.stringify(error.data)),
        });
      }
    },
  },
  {
    id: "OS-142",
    clause: "SSOT 2.8",
    title: "A closed store answers every operation with `store/closed`; closing twice is no fault.",
    async holds({ store }) {
      if (store.close === undefined) return;
      await put(store, [toolcall("call_1", "a")]);

      await store.close();
      await store.close();

      await refused(store.getMany(["call_1"]), "store/closed");
      await refused(put(store, [toolcall("call_2", "a")]), "store/closed");
      await refused(store.history("call_1"), "store/closed");
      await refused(store.find({ type: "toolcall" }), "store/closed");
      await refused(store.erase(["call_1"], "not needed"), "store/closed");
    },
  },
  {
    id: "OS-143",
    clause: "SSOT 2.8",
    title: "A store names the contract it fulfils.",
    async holds({ store }) {
      assert.equal(store.contract, "object-store/1");
    },
  },
  {
    id: "OS-144",
    clause: "SSOT 2.8",
    title: "An argument that is not of its type is refused by its name, and nothing is written.",
    async holds({ store }) {
      await put(store, [toolcall("call_1", "a")]);

      for (const [argument, ask] of wrongTypes) {
        const error = await refused(ask(store), "store/invalid-input");
        assert.equal(error.data.argument, argument);
        assert.ok(error.message.includes(argument));
      }

      assert.equal(await textAt(store, "call_1"), "a");
    },
  },
];
