import { type CheckedCommit, type CommitReceipt, defined } from "@cm/object-model";
import type { StoredDocument, XtdbDocument } from "@cm/xtdb-client";
import { storedList } from "./stored-json.ts";
import { readToken } from "./version-token.ts";

export interface CommitTerms {
  readonly commit: CheckedCommit;
  /** The id of the commit's own document. */
  readonly request: string;
  /** Milliseconds, where the store has a clock of its own. */
  readonly atMs: number | undefined;
}

interface RecordParts {
  readonly attempt: string;
  /** Tags of texts with the objects they were written to. */
  readonly texts: readonly (readonly [tag: string, id: string])[];
  readonly results: CommitReceipt["results"];
}

/**
 * The document that every commit writes about itself. Its transaction is the commit's, so versions need no place for
 * that; it makes a request id good once; it decides whether a commit whose answer was lost took place; and it tells which
 * objects were ever given a text, which XTDB's index of current values cannot.
 */
export function commitRecord(
  { commit, request, atMs }: CommitTerms,
  { attempt, texts, results }: RecordParts,
): XtdbDocument {
  const held = heldTexts(texts);
  return {
    "xt/id": request,
    "cm/attempt": attempt,
    "cm/ordered": true,
    ...defined({ "cm/at": atMs }),
    ...(held.size === 0 ? {} : { "cm/texts": [...held.keys()], "cm/held": JSON.stringify([...held]) }),
    ...(commit.requestId === undefined
      ? {}
      : { "cm/fingerprint": commit.fingerprint, "cm/results": JSON.stringify(results.map(resultText)) }),
  };
}

export interface CommitRecord {
  readonly attempt: string;
  readonly fingerprint: string | undefined;
  readonly atMs: number | undefined;
  /** Outcome and token of each write. Only for commits under a request id. */
  readonly results: readonly { readonly outcome: "written" | "unchanged"; readonly token: string }[] | undefined;
}

/** `undefined` for what is no record of a commit. */
export function readRecord(document: StoredDocument): CommitRecord | undefined {
  const { "cm/attempt": attempt, "cm/fingerprint": fingerprint, "cm/at": at, "cm/results": results } = document;
  if (typeof attempt !== "string") return undefined;
  return {
    attempt,
    fingerprint: typeof fingerprint === "string" ? fingerprint : undefined,
    atMs: typeof at === "number" ? at : undefined,
    results: typeof results === "string" ? readResults(results) : undefined,
  };
}

/** The objects that were given one of the texts in this commit, by the texts' tags. */
export function holdersIn(document: StoredDocument, tags: ReadonlySet<string>): readonly string[] {
  return storedList(document["cm/held"]).flatMap((pair) => {
    const [tag, ids]: unknown[] = Array.isArray(pair) ? pair : [];
    return tags.has(String(tag)) && Array.isArray(ids) ? ids.map(String) : [];
  });
}

function heldTexts(texts: RecordParts["texts"]): Map<string, string[]> {
  const held = new Map<string, string[]>();
  for (const [tag, id] of texts) {
    const ids = held.get(tag);
    if (ids === undefined) held.set(tag, [id]);
    else ids.push(id);
  }
  return held;
}

const resultText = ({ outcome, token }: CommitReceipt["results"][number]) =>
  `${outcome === "written" ? "+" : "="}${token}`;

function readResults(json: string): CommitRecord["results"] {
  const results = storedList(json).map((text) => ({
    outcome: String(text).startsWith("+") ? ("written" as const) : ("unchanged" as const),
    token: String(text).slice(1),
  }));
  return results.every(({ token }) => readToken(token) !== undefined) ? results : undefined;
}
