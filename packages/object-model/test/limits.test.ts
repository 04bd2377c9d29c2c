// Verifies: T10
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import {
  checkCommit,
  checkFind,
  checkIds,
  checkReason,
  coreDocumentTypes,
  type DocumentOf,
  isSessionId,
  type JsonValue,
  limits,
  pageRows,
  parseSourceBinding,
  sealDocument,
} from "../src/index.ts";

type CallPayload = Omit<Parameters<typeof sealDocument<"toolcall">>[1], "chat_ref">;

function call(fields: Partial<CallPayload>, id = "call_1"): DocumentOf<"toolcall"> {
  return sealDocument(
    { type: "toolcall", id },
    { content: "", tool: "bash", args: {}, status: "ok", chat_ref: "chat:s1", ...fields },
  );
}

const letters = (count: number): string => "x".repeat(count);
const accepted = (holds: boolean): void => {
  if (!holds) throw Object.assign(new Error("Not accepted."), { code: "model/limit" });
};

/** A type whose `labels` are indexed. The object itself is a key beside its members. */
const withNotes = coreDocumentTypes.extend({
  type: "note",
  role: "infrastructure",
  sourced: false,
  acceptsId: (id) => id.startsWith("note:"),
  payload: z.looseObject({ content: z.null() }),
  indexed: { fields: ["labels"] },
});
const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
const note = (labels: object) => sealDocument({ type: "note", id: "note:1" }, { content: null, labels }, withNotes);

/** A payload record is `{"args":{"a":"…"},"chat_ref":…}`: what stands around the text. */
const recordBytes = JSON.stringify({
  args: { a: "" },
  chat_ref: "chat:s1",
  content: letters(64),
  status: "ok",
  tool: "bash",
}).length;

function nested(levels: number): JsonValue {
  return levels === 0 ? 1 : [nested(levels - 1)];
}

/** One row a limit: what reaches it exactly with `amount`, and the code past it. */
const rows: Record<keyof typeof limits, { readonly use: (amount: number) => unknown; readonly code: string }> = {
  contentBytesMax: { use: (amount) => call({ content: letters(amount) }), code: "model/limit" },
  payloadBytesMax: { use: (amount) => call({ args: { a: letters(amount - recordBytes) } }), code: "model/limit" },
  // The payload and `args` are two levels.
  jsonDepthMax: { use: (amount) => call({ args: { a: nested(amount - 2) } }), code: "model/limit" },
  // The payload, its five members and `a` are values, too.
  jsonValuesMax: {
    use: (amount) => call({ args: { a: Array.from({ length: amount - 7 }, () => 0) } }),
    code: "model/limit",
  },
  idCharsMax: { use: (amount) => call({}, letters(amount)), code: "model/invalid-id" },
  sessionIdCharsMax: { use: (amount) => accepted(isSessionId(letters(amount))), code: "model/limit" },
  sourceFieldCharsMax: {
    use: (amount) => parseSourceBinding({ type: "filesystem", filesystemId: "f", path: letters(amount) }),
    code: "model/invalid-source",
  },
  nameCharsMax: { use: (amount) => call({ tool: letters(amount) }), code: "model/invalid-document" },
  argsDisplayCharsMax: { use: (amount) => call({ args_display: letters(amount) }), code: "model/invalid-document" },
  writesPerCommitMax: {
    use: (amount) =>
      checkCommit(
        Array.from({ length: amount }, (_, n) => ({ document: call({}, `call_${n}`), expect: "any" as const })),
        {},
        coreDocumentTypes,
      ),
    code: "store/limit",
  },
  idsPerReadMax: { use: (amount) => checkIds(Array.from({ length: amount }, () => "x")), code: "store/limit" },
  pageRowsMax: { use: (amount) => pageRows({ limit: amount }), code: "store/limit" },
  indexKeysMax: {
    use: (amount) => checkCommit([{ document: note(members(amount - 1)), expect: "any" }], {}, withNotes),
    code: "store/limit",
  },
  whereKeysMax: {
    use: (amount) => checkFind({ type: "note", where: { labels: members(amount - 1) } }, {}, withNotes),
    code: "store/limit",
  },
  requestIdCharsMax: {
    use: (amount) => checkCommit([], { requestId: letters(amount) }, coreDocumentTypes),
    code: "store/limit",
  },
  reasonCharsMax: { use: (amount) => checkReason(letters(amount)), code: "store/limit" },
};

describe.each(Object.entries(rows))("%s", (name, { use, code }) => {
  const bound = limits[name as keyof typeof limits];

  it(`accepts ${bound - 1}`, () => {
    expect(() => use(bound - 1)).not.toThrow();
  });

  it(`accepts ${bound}`, () => {
    expect(() => use(bound)).not.toThrow();
  });

  it(`refuses ${bound + 1} with ${code}`, () => {
    expect(() => use(bound + 1)).toThrow(expect.objectContaining({ code }));
  });
});

describe("bounds on JSON", () => {
  it("count UTF-8 bytes of text, not letters", () => {
    const euros = "€".repeat(Math.floor(limits.contentBytesMax / 3));

    expect(() => call({ content: euros })).not.toThrow();
    expect(() => call({ content: `${euros}€` })).toThrow(expect.objectContaining({ code: "model/limit" }));
  });

  it("hold without a crash for a hundred thousand levels and a million keys", () => {
    let deep: JsonValue = 1;
    for (let level = 0; level < 100_000; level += 1) deep = { a: deep };
    const wide: Record<string, JsonValue> = {};
    for (let n = 0; n < 1_000_000; n += 1) wide[`k${n}`] = n;

    expect(() => call({ args: { deep } })).toThrow(expect.objectContaining({ code: "model/limit" }));
    expect(() => call({ args: wide })).toThrow(expect.objectContaining({ code: "model/limit" }));
  });
});
