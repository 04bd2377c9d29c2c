import {
  chatId,
  hashJson,
  isCmError,
  type ListedVersion,
  type ObjectDocument,
  type ObjectStore,
  type StoredVersion,
  sealDocument,
  type Write,
} from "@cm/object-model";

/** May not show in an error. */
export const canary = "content-that-nobody-may-see";

/** A tool call of session `s1`. Texts beyond some thousand characters are kept apart from their objects. */
export function call(id: string, version: number, textChars = 40): ObjectDocument {
  const content = `${canary} ${id} ${version} `.padEnd(textChars, "x");
  return sealDocument(
    { type: "toolcall", id },
    { content, tool: "bash", args: { version }, status: "ok", chat_ref: chatId("s1") },
  );
}

export const scriptIds = ["call_a", "call_b", "call_c", "call_long", "call_unknown"] as const;

/** Tokens of the newest writes by id, as receipts gave them. */
export type Tokens = Map<string, string>;

/** One call of a store. Its answer names no tokens and no times, so that those of two stores can be compared. */
export interface ScriptStep {
  readonly name: string;
  readonly run: (store: ObjectStore, tokens: Tokens) => Promise<unknown>;
}

const commitStep = (name: string, requestId: string, writesOf: (tokens: Tokens) => readonly Write[]): ScriptStep => ({
  name,
  run: async (store, tokens) => {
    try {
      const { results } = await store.commit(writesOf(tokens), { requestId });
      for (const { id, token } of results) tokens.set(id, token);
      return results.map(({ id, outcome }) => [id, outcome]);
    } catch (error) {
      if (isCmError(error, "store/conflict")) return [error.code, error.data.ids];
      throw error;
    }
  },
});

const newest = (tokens: Tokens, id: string): string => tokens.get(id) ?? "no token";

const firstWrites: readonly Write[] = [
  { document: call("call_a", 1), expect: "absent" },
  { document: call("call_b", 1), expect: "absent" },
  { document: call("call_long", 1, 5_000), expect: "absent" },
];

/** Every method of the contract, each kind of expectation, and what comes after an erasure. */
export const script: readonly ScriptStep[] = [
  commitStep("commit of new objects", "first", () => firstWrites),
  commitStep("commit that names tokens", "second", (tokens) => [
    { document: call("call_a", 2), expect: newest(tokens, "call_a") },
    { document: call("call_long", 2, 6_000), expect: newest(tokens, "call_long") },
  ]),
  commitStep("commit without conditions", "third", () => [
    { document: call("call_c", 1), expect: "any" },
    { document: call("call_a", 3), expect: "any" },
  ]),
  commitStep("commit whose expectation is broken", "fourth", () => [
    { document: call("call_c", 2), expect: "any" },
    { document: call("call_b", 2), expect: "absent" },
  ]),
  { name: "getMany", run: async (store) => versions((await store.getMany(scriptIds)).values()) },
  { name: "history", run: async (store) => versions((await store.history("call_a", { documents: true })).versions) },
  {
    name: "find",
    run: async (store) =>
      versions((await store.find({ type: "toolcall", session: "s1" }, { documents: true })).versions),
  },
  {
    name: "repeated request id",
    run: async (store) =>
      (await store.commit(firstWrites, { requestId: "first" })).results.map(({ id, outcome }) => [id, outcome]),
  },
  {
    name: "erase",
    run: async (store) => {
      const { erased, unknown } = await store.erase(["call_b", "call_long", "call_unknown"], "a reason");
      return { erased, unknown };
    },
  },
  commitStep("commit after the erasure", "fifth", () => [{ document: call("call_b", 3), expect: "any" }]),
  { name: "find after the erasure", run: async (store) => versions((await store.find({ type: "toolcall" })).versions) },
];

/** Everything that can be read of the script's objects. */
export async function stateOf(store: ObjectStore): Promise<readonly string[]> {
  const lines = ["now:", ...versions((await store.getMany(scriptIds)).values())];
  for (const id of scriptIds) {
    const { versions: all } = await store.history(id, { documents: true });
    lines.push(`history of ${id}:`, ...versions(all));
  }
  return lines;
}

/** One line each; a document stands by its hash. */
function versions(found: Iterable<StoredVersion | ListedVersion>): readonly string[] {
  return [...found].map(({ id, type, contentHash, document, erased }) => {
    const whole = document === undefined ? "listed" : hashJson(document).slice(0, 8);
    return `${type} ${id} ${contentHash.slice(0, 8)} ${erased === undefined ? whole : `erased for ${erased.reason}`}`;
  });
}
