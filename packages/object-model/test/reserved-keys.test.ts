// Verifies: T13
import { describe, expect, it } from "vitest";
import { type JsonValue, parseDocument, sealDocument } from "../src/index.ts";
import { randomObject, reservedNames } from "./random/json.ts";
import { createRandom, runsOf } from "./random/random.ts";

const sealed = sealDocument(
  { type: "toolcall", id: "call_1" },
  { content: "a", tool: "bash", args: {}, status: "ok", chat_ref: "chat:s1" },
);
const fields = new Set(Object.keys(sealed));
/** Names that are no field of a tool call: every one of them must be refused at the top. */
const foreign = [...reservedNames.filter((name) => !fields.has(name)), "xt/valid-time", ":xt/fn", "crux.db/id", "_id"];

describe("reserved keys", () => {
  it("are refused at the top of random documents and kept as data below", () => {
    const { seed, runs } = runsOf(2_000, 1_000_000);
    const random = createRandom(seed);
    let nested = 0;

    for (let n = 0; n < runs; n += 1) {
      const key = random.pick(foreign);
      const args = Object.fromEntries([...Object.entries(randomObject(random)), [key, deep(random.below(9), key)]]);
      const document = sealDocument({ type: "toolcall", id: `call_${n}` }, { ...payload, args });
      if (JSON.stringify(document.args).includes(JSON.stringify(key))) nested += 1;

      const hostile = Object.fromEntries([...Object.entries(document), [key, "(fn [ctx] ctx)"]]);
      if (!isRefused(hostile)) expect.fail(`${key} was accepted at the top of document ${n} of seed ${seed}.`);
    }

    expect(nested).toBe(runs);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

const payload = { content: "a", tool: "bash", status: "ok", chat_ref: "chat:s1" } as const;

/** The key as deep as `depth` objects and arrays take it. */
function deep(depth: number, key: string): JsonValue {
  if (depth === 0) return "(fn [ctx] ctx)";
  const inner = deep(depth - 1, key);
  return depth % 2 === 0 ? [inner] : Object.fromEntries([[key, inner]]);
}

function isRefused(document: object): boolean {
  try {
    parseDocument(document);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "model/invalid-document";
  }
}
