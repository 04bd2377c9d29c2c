import {
  type DocumentOf,
  isDocumentOf,
  type ListedVersion,
  limits as modelLimits,
  type Observation,
  type ObserveRequest,
  type Source,
  type SourceBinding,
  sha256,
} from "@cm/object-model";
import { limits } from "../limits.ts";

/** A file as it is now against its stored version, in words for a table; programs get the first one. */
export interface SourceComparison {
  readonly state: "same" | "changed" | "gone" | "there" | "unreachable";
  /** Why the state is unknown. */
  readonly reason?: string;
}

interface Asked {
  readonly document: DocumentOf<"file">;
  readonly binding: SourceBinding;
}

/** Looks at each file where it came from, in their order. Nothing is written. */
export async function* compareWithSource(
  files: AsyncIterable<ListedVersion>,
  sources: readonly Source[],
): AsyncGenerator<readonly [ListedVersion, SourceComparison]> {
  let batch: ListedVersion[] = [];
  for await (const file of files) {
    batch.push(file);
    if (batch.length < limits.lookFilesAtOnce) continue;
    yield* await lookAtAll(batch, sources);
    batch = [];
  }
  yield* await lookAtAll(batch, sources);
}

async function lookAtAll(
  files: readonly ListedVersion[],
  sources: readonly Source[],
): Promise<readonly (readonly [ListedVersion, SourceComparison])[]> {
  const found = files.map((): SourceComparison => ({ state: "unreachable", reason: "no source is named for it" }));
  for (const source of sources) {
    const places = files.flatMap((file, place) => {
      const asked = askedOf(file, source);
      return asked === undefined ? [] : [{ place, ...asked }];
    });
    if (places.length === 0) continue;
    const bounds = { contentBytesMax: modelLimits.contentBytesMax, deadlineMs: limits.lookMs };
    const answers = await source.observe(places.map(requestOf), bounds);
    for (const [index, { place, document }] of places.entries()) found[place] = nowOf(document, answers[index]);
  }
  return files.map((file, place) => [file, found[place] as SourceComparison]);
}

function askedOf({ document }: ListedVersion, source: Source): Asked | undefined {
  if (document === undefined || !isDocumentOf(document, "file") || document.source?.type !== source.type)
    return undefined;
  try {
    return { document, binding: source.parseBinding(document.source) };
  } catch {
    return undefined;
  }
}

function requestOf({ document, binding }: Asked): ObserveRequest {
  if (document.null_reason === "unread") return { binding, want: "existence" };
  return document.source_hash === undefined ? { binding } : { binding, known: { sourceHash: document.source_hash } };
}

function nowOf({ source_hash, null_reason }: DocumentOf<"file">, answer: Observation | undefined): SourceComparison {
  switch (answer?.kind) {
    case "unchanged":
      return { state: "same" };
    case "exists":
      return { state: "there" };
    case "absent":
      return { state: null_reason === "deleted" ? "same" : "gone" };
    case "present": {
      // A text reported by a tool has a different hash over the same text.
      const isTold = "text" in answer.content && source_hash === `tool:${sha256(answer.content.text)}`;
      return { state: isTold || answer.sourceHash === source_hash ? "same" : "changed" };
    }
    default:
      return { state: "unreachable", reason: answer?.reason ?? "no answer" };
  }
}
