// Verifies: T13, the writer cannot store a document that XTDB would run.
import { parseEDNString } from "edn-data";
import { describe, expect, it } from "vitest";
import {
  type Clojure,
  callFunction,
  clojure,
  connectXtdb,
  type EdnInput,
  match,
  type Operation,
  put,
  putFunction,
  type XtdbDocument,
  XtdbError,
} from "../src/index.ts";
import { transactionText } from "../src/transaction-text.ts";
import { createRandom, hostileTexts, manyRuns, type Random, repeated, reservedNames } from "./support/random.ts";
import { thrown } from "./support/thrown.ts";

const evaluated = [
  "xt/fn",
  "crux.db/fn",
  "crux.db/id",
  "crux.db.fn/args",
  "xtdb.api/fn",
  "xt.fn/x",
  "xtdb/fn",
  "xt",
  "crux",
];
const names = [...evaluated, ...reservedNames, "n", "a/b", "xt-fn", "my.xt/fn", "fn", "xt/fn ", ":xt/fn", "xt/id/fn"];
const code = ["(fn [ctx] ctx)", { fn: ["ctx"] }, ...hostileTexts];

const title = "no random document with reserved names gets one to its top level";
it(title, () => {
  let written = 0;
  let refused = 0;

  repeated(title, manyRuns, (seed, run) => {
    const random = createRandom(seed + run);
    const document = { ...randomMap(random, 3), "xt/id": random.chance(0.95) ? `id ${run}` : randomValue(random, 1) };
    const operation = random.chance(0.8) ? put(document as XtdbDocument) : match("m", document as XtdbDocument);

    const text = textOf(operation);

    if (text === undefined) refused += 1;
    else {
      written += 1;
      const keys = topLevelKeys(text);
      if (keys.some((key) => key !== "xt/id" && /^(xt|xtdb|crux)([./]|$)/.test(key))) throw new Error(`wrote ${keys}`);
      if (keys.toSorted().join() !== Object.keys(document).toSorted().join()) throw new Error(`wrote ${keys}`);
    }
  });

  expect(written).toBeGreaterThan(manyRuns / 100);
  expect(refused).toBeGreaterThan(manyRuns / 10);
});

describe("refuses", () => {
  it.each(evaluated)("a document with %s at its top level", (name) => {
    const document = { "xt/id": "a", [name]: "(fn [ctx] ctx)" };

    expect(thrown(() => transactionText([put(document)])).code).toBe("xtdb/invalid");
    expect(thrown(() => transactionText([put(document)], { allowCode: true })).code).toBe("xtdb/invalid");
    expect(thrown(() => transactionText([match("a", document)])).code).toBe("xtdb/invalid");
  });

  it.each<readonly [string, Operation]>([
    ["storing a function", putFunction("f", clojure`(fn [ctx] [])`)],
    ["calling a function", callFunction("f", 1)],
  ])("%s without allowCode", (_, operation) => {
    expect(thrown(() => transactionText([operation])).message).toContain("allowCode");
    expect(() => transactionText([operation], { allowCode: true })).not.toThrow();
  });

  it("code that was put together when the program ran", () => {
    const forged = untyped<Clojure>({ kind: "clojure", text: "(fn [ctx])" });

    expect(thrown(() => transactionText([putFunction("f", forged)], { allowCode: true })).code).toBe("xtdb/invalid");
  });

  it("operations that are made by hand and are none", async () => {
    const client = connectXtdb({ urls: "http://127.0.0.1:1" });
    const forged = [[":xtdb.api/fn"], { kind: "fn" }, null, "put", { kind: "put" }, { kind: "put", document: [] }];

    for (const operation of forged) {
      await expect(client.submit([untyped<Operation>(operation)])).rejects.toMatchObject({ code: "xtdb/invalid" });
    }
    await client.close();
  });
});

it("reserved names below the top level are plain data", () => {
  const text = transactionText([put({ "xt/id": "a", b: { "xt/fn": ["crux.db/fn", { "xt/id": 1 }] } })]);

  expect(text).toBe('{:tx-ops [[:xtdb.api/put {:xt/id "a" :b {:xt/fn ["crux.db/fn" {:xt/id 1}]}}]]}');
});

it("a function's code ends with the function, whatever its last line is", () => {
  const text = transactionText([putFunction("f", clojure`(fn [ctx] []) ; last`)], { allowCode: true });

  expect(text).toBe('{:tx-ops [[:xtdb.api/put {:xt/id "f" :xt/fn (fn [ctx] []) ; last\n}]]}');
});

/** What types would forbid. */
function untyped<Type>(value: unknown): Type {
  return value as Type;
}

function textOf(operation: Operation): string | undefined {
  try {
    return transactionText([operation]);
  } catch (error) {
    if (error instanceof XtdbError && error.code === "xtdb/invalid") return undefined;
    throw error;
  }
}

/** As an independent reader sees the document. */
function topLevelKeys(text: string): string[] {
  const read = parseEDNString(text, { mapAs: "doubleArray", keywordAs: "string", listAs: "array" });
  const { map } = read as { map: [string, { map: [string, unknown][] }[][]][] };
  const document = map[0]?.[1][0]?.at(-1) as { map: [string, unknown][] };
  return document.map.map(([key]) => key);
}

function randomMap(random: Random, depth: number): Record<string, EdnInput> {
  return Object.fromEntries(
    random.some(4, () => [random.chance(0.5) ? `n${random.below(9)}` : random.pick(names), randomValue(random, depth)]),
  );
}

function randomValue(random: Random, depth: number): EdnInput {
  if (depth > 0 && random.chance(0.5))
    return random.chance(0.7) ? randomMap(random, depth - 1) : [randomMap(random, depth - 1)];
  return random.pick<EdnInput>(code);
}
