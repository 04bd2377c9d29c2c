// Verifies: T18
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  canonicalJson,
  createMemoryStore,
  isCmError,
  type ObjectDocument,
  type ObjectStore,
  objectIdOf,
  parseDocument,
  parseSessionId,
  parseSourceBinding,
  sealDocument,
} from "../src/index.ts";
import { coreTypes, randomMaterial, seal } from "./random/documents.ts";
import { createRandom } from "./random/random.ts";

const canary = "CANARY-c0ffee";
const random = createRandom(1);
type Failing = () => unknown;

/** Values that hold the canary and fit no field: wrong kinds, broken text, unknown members, what JSON cannot carry. */
const wrongValues: readonly unknown[] = [
  { [canary]: canary },
  [canary, [canary]],
  `${canary}\ud800`,
  new Map([[canary, canary]]),
  Symbol(canary),
];

/** Every field of a document of every type, replaced by each wrong value. */
const ofDocuments: readonly Failing[] = coreTypes.flatMap((type) => {
  const document = seal(randomMaterial(random, type));
  const changed = Object.keys(document).flatMap((field) =>
    wrongValues.map((value) => () => parseDocument({ ...document, [field]: value })),
  );
  return [...changed, () => parseDocument({ ...document, [canary]: canary })];
});

const ofValues: readonly Failing[] = [
  ...wrongValues.slice(2).map((value) => () => canonicalJson({ [canary]: [canary, value] })),
  ...["filesystem", "git", "s3", "wiki"].flatMap((type) =>
    wrongValues.map(
      (value) => () => objectIdOf({ type: "file", source: parseSourceBinding({ type, path: value, key: value }) }),
    ),
  ),
  () => parseSessionId(`${canary} `),
  () => parseSourceBinding(canary),
];

const call = (id: string, args: Readonly<Record<string, unknown>>): ObjectDocument =>
  sealDocument(
    { type: "toolcall", id },
    { content: `${canary} ${id}`, tool: "bash", args, status: "ok", chat_ref: "chat:s1" },
  );

function ofStore(store: ObjectStore): readonly Failing[] {
  return Array.from({ length: 20 }, (_, n) => {
    const document = call(`call_${n}`, { [canary]: n });
    const other = call(`call_${n}`, { [canary]: canary });
    return [
      () => store.commit([{ document, expect: "absent" }]).then(() => store.commit([{ document, expect: "absent" }])),
      () => store.commit([{ document: other, expect: `v${canary}` }]),
      () => store.commit([document, document].map((twice) => ({ document: twice, expect: "any" as const }))),
      () => store.commit([{ document: { ...document, content: canary }, expect: "any" }]),
      () => store.getMany([canary], `${canary}${n}`),
      () => store.find({ text: canary, path: canary, tool: canary }),
      () => store.history(canary, { limit: -n - 1, cursor: canary }),
      () => store.erase([canary], canary.repeat(100 + n)),
      () => store.commit([], { requestId: canary.repeat(30 + n) }),
      () => store.commit([], { validTime: new Date(canary) }),
    ];
  }).flat();
}

/** Everything that a log could print of an error. */
function printed(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? printed(error.cause) : "";
  return `${error}\n${error instanceof Error ? error.stack : ""}\n${JSON.stringify(error)}\n${inspect(error, { depth: 9 })}${cause}`;
}

describe("failing operations", () => {
  it("say nothing of the content they were given: 300 of them and more", async () => {
    const operations = [...ofDocuments, ...ofValues, ...ofStore(createMemoryStore())];
    expect(operations.length).toBeGreaterThan(300);

    for (const [place, operation] of operations.entries()) {
      const error: unknown = await Promise.resolve()
        .then(operation)
        .then(
          () => "accepted",
          (thrown) => thrown,
        );

      expect(isCmError(error), `operation ${place}: ${error}`).toBe(true);
      expect(printed(error)).not.toContain(canary);
    }
  });
});
