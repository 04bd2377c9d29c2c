import type { Observation } from "@cm/object-model";
import { sha256 } from "@cm/object-model";
import { alteredSource, answering, hashing, type MemoryRequest, type PlantedSourceBug } from "./planted-source-bug.ts";

type Content = Extract<Observation, { kind: "present" }>["content"];

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");
const hashOf = (bytes: Uint8Array): string => sha256(Buffer.from(bytes).toString("latin1"));

/** The content of things that are there is changed on its way out. */
function reading(
  name: string,
  caughtBy: readonly string[],
  read: (content: Content, bytes: Uint8Array, bytesMax: number) => Content,
): PlantedSourceBug {
  return answering(name, caughtBy, (answer, { thing, bounds: { contentBytesMax } }) =>
    answer.kind === "present" && thing !== undefined
      ? { ...answer, content: read(answer.content, thing.bytes, contentBytesMax) }
      : answer,
  );
}

function rewriting(name: string, caughtBy: readonly string[], rewrite: (text: string) => string): PlantedSourceBug {
  return reading(name, caughtBy, (content) => ("text" in content ? { text: rewrite(content.text) } : content));
}

export const bugsOfSourceContent: readonly PlantedSourceBug[] = [
  reading("The digest of a text is that of other bytes.", ["SRC-006"], (content) =>
    "text" in content ? { ...content, digest: sha256(`${content.text} `) } : content,
  ),
  alteredSource("The same request is answered once in a batch.", ["SRC-004", "SRC-005"], (inner) => ({
    observe: (requests, bounds, signal) => {
      const keys = requests.map((request) => JSON.stringify(request));
      return inner.observe(
        requests.filter((_, n) => keys.indexOf(keys[n] ?? "") === n),
        bounds,
        signal,
      );
    },
  })),
  alteredSource("Answers come in the order of paths.", ["SRC-004", "SRC-005"], (inner) => ({
    observe: (requests, bounds, signal) =>
      inner.observe(
        requests.toSorted((one, other) => (one.binding.path < other.binding.path ? -1 : 1)),
        bounds,
        signal,
      ),
  })),
  alteredSource("One thing out of reach spoils its batch.", ["SRC-004"], (inner) => ({
    async observe(requests, bounds, signal) {
      const answers = await inner.observe(requests, bounds, signal);
      const lost = answers.find(({ kind }) => kind === "unreachable");
      return lost === undefined ? answers : answers.map(() => lost);
    },
  })),
  alteredSource("What is asked twice is remembered for the batch, whatever was asked of it.", ["SRC-004"], (inner) => ({
    async observe(requests, bounds, signal) {
      const first = (path: string): MemoryRequest =>
        requests.find(({ binding }) => binding.path === path) as MemoryRequest;
      return inner.observe(
        requests.map(({ binding }) => ({ ...first(binding.path), binding })),
        bounds,
        signal,
      );
    },
  })),
  alteredSource("An empty batch is refused.", ["SRC-004"], (inner) => ({
    observe: async (requests, bounds, signal) => {
      if (requests.length === 0) throw new RangeError("There is nothing to look at.");
      return inner.observe(requests, bounds, signal);
    },
  })),
  alteredSource("A batch is looked at up to its 500th request.", ["SRC-005"], (inner) => ({
    async observe(requests, bounds, signal) {
      const answers = await inner.observe(requests, bounds, signal);
      return answers.map((answer, n) =>
        n < 500 ? answer : { kind: "unreachable" as const, reason: "too many requests in one batch" },
      );
    },
  })),
  alteredSource("In a large batch, what is known is believed.", ["SRC-005"], (inner) => ({
    async observe(requests, bounds, signal) {
      const answers = await inner.observe(requests, bounds, signal);
      return answers.map((answer, n) => {
        const state = requests[n]?.known;
        const isBelieved = requests.length > 100 && answer.kind === "present" && state?.hint !== undefined;
        return isBelieved ? { kind: "unchanged", state } : answer;
      });
    },
  })),
  rewriting("A byte order mark is dropped.", ["SRC-006"], (text) => text.replace(/^\uFEFF/u, "")),
  rewriting("Line ends are made equal.", ["SRC-006"], (text) => text.replaceAll("\r\n", "\n")),
  rewriting("Text gets a line end.", ["SRC-006"], (text) => (text.endsWith("\n") ? text : `${text}\n`)),
  reading("A file without bytes has no text.", ["SRC-006"], (content, { length }) =>
    length === 0 ? { withheld: "binary" } : content,
  ),
  reading("A text with a NUL is binary.", ["SRC-006"], (content, bytes) =>
    bytes.includes(0) && "text" in content ? { withheld: "binary" } : content,
  ),
  reading("Bytes that are not UTF-8 are decoded anyway.", ["SRC-007"], (content, bytes) =>
    "withheld" in content && content.withheld === "binary" ? { text: textOf(bytes) } : content,
  ),
  hashing("The decoded text is hashed.", ["SRC-007"], ({ bytes }) => sha256(textOf(bytes))),
  answering("What is withheld has no hash.", ["SRC-007", "SRC-008"], (answer) =>
    answer.kind === "present" && "withheld" in answer.content ? { ...answer, sourceHash: "", state: {} } : answer,
  ),
  reading("The bound counts characters.", ["SRC-008"], (content, bytes, bytesMax) =>
    "withheld" in content && content.withheld === "too_large" && textOf(bytes).length <= bytesMax
      ? { text: textOf(bytes) }
      : content,
  ),
  reading("A text of exactly the bound is too large.", ["SRC-008"], (content, { length }, bytesMax) =>
    length === bytesMax ? { withheld: "too_large" } : content,
  ),
  reading("Texts over the bound are cut.", ["SRC-008"], (content, bytes, bytesMax) =>
    "withheld" in content && content.withheld === "too_large" ? { text: textOf(bytes.subarray(0, bytesMax)) } : content,
  ),
  hashing("Only the first bytes of a thing are hashed.", ["SRC-008"], ({ bytes }) => hashOf(bytes.subarray(0, 2_000))),
  hashing("The hash is the number of the change.", ["SRC-009"], ({ revision }) => `${revision}`),
  hashing("Line ends are made equal before hashing.", ["SRC-009"], ({ bytes }) =>
    hashOf(Buffer.from(Buffer.from(bytes).toString("latin1").replaceAll("\r\n", "\n"), "latin1")),
  ),
  hashing("Text is normalised before hashing.", ["SRC-009"], ({ bytes }) => sha256(textOf(bytes).normalize("NFC"))),
  hashing("A byte order mark is not hashed.", ["SRC-009"], ({ bytes }) =>
    hashOf(textOf(bytes).startsWith("\uFEFF") ? bytes.subarray(3) : bytes),
  ),
];
