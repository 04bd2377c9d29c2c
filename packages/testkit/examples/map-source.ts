// A whole source over a Map: what a source of your own has to do, without a place to do it in. It holds every law of
// source/1 (test/examples.test.ts). A real one looks at a server or a disk in `observe`, and gives up at the deadline.
import { isUtf8 } from "node:buffer";
import { CmError, limits, type Observation, type ObserveRequest, type Source, sha256 } from "@cm/object-model";

/** Says where a thing is, in strings alone. Equal bindings are one object, for ever. */
export type PageBinding = Readonly<Record<string, string>> & {
  readonly type: "wiki";
  readonly wiki: string;
  readonly path: string;
};

/** `pages` is undefined while the wiki is unreachable: nothing is absent then. */
export interface Wiki {
  readonly name: string;
  pages: ReadonlyMap<string, Uint8Array> | undefined;
}

export function createMapSource(wiki: Wiki): Source<PageBinding> {
  let closed = false;
  return {
    contract: "source/1",
    type: "wiki",
    parseBinding(value) {
      const given = typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
      const { type, wiki, path, ...more } = given as Record<string, unknown>;
      if (type === "wiki" && isName(wiki) && isName(path) && Object.keys(more).length === 0)
        return { type, wiki, path };
      const wrong = [
        ...(type === "wiki" ? [] : ["type"]),
        ...(isName(wiki) ? [] : ["wiki"]),
        ...(isName(path) ? [] : ["path"]),
      ];
      throw new CmError("model/invalid-source", `A binding of a wiki has type, wiki and path; wrong: ${wrong.join()}.`);
    },
    describe: ({ wiki, path }) => ({
      namespace: wiki,
      path,
      display: `wiki:${wiki}/${JSON.stringify(path).slice(1, -1)}`,
    }),
    async observe(requests, { contentBytesMax }, signal) {
      return requests.map((request) => {
        if (closed || signal?.aborted) return { kind: "unreachable", reason: "the look was given up" };
        if (wiki.pages === undefined || request.binding.wiki !== wiki.name)
          return { kind: "unreachable", reason: "the wiki cannot be reached" };
        return look(wiki.pages.get(request.binding.path), request, contentBytesMax);
      });
    },
    async close() {
      closed = true;
    },
  };
}

function look(
  bytes: Uint8Array | undefined,
  { known, want }: ObserveRequest<PageBinding>,
  contentBytesMax: number,
): Observation {
  if (bytes === undefined) return { kind: "absent" };
  if (want === "existence") return { kind: "exists" };
  const sourceHash = sha256(bytes);
  const state = { sourceHash };
  if (known?.sourceHash === sourceHash) return { kind: "unchanged", state };
  if (bytes.length > contentBytesMax) return { kind: "present", sourceHash, state, content: { withheld: "too_large" } };
  if (!isUtf8(bytes)) return { kind: "present", sourceHash, state, content: { withheld: "binary" } };
  return { kind: "present", sourceHash, state, content: { text: Buffer.from(bytes).toString("utf8") } };
}

const isName = (value: unknown): value is string =>
  typeof value === "string" && value.length >= 1 && value.length <= limits.sourceFieldCharsMax;
