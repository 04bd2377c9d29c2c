import { isUtf8 } from "node:buffer";
import type { FilesystemBinding, Observation, ObserveRequest, ReadLimits } from "@cm/object-model";
import { isBelow, isContainerPath } from "../binding/container-path.ts";
import type { Gate } from "../container/gate.ts";
import { type Asked, lookInto } from "../container/look.ts";
import type { Told, Word } from "../container/parse-answer.ts";
import type { CheckedContainer } from "../container/registered-container.ts";
import { type Reason, reasonOf, reasons } from "../reasons.ts";
import { within } from "../within.ts";

export interface ContainerBatch {
  readonly requests: readonly ObserveRequest<FilesystemBinding>[];
  readonly bounds: ReadLimits;
  readonly signals: readonly (AbortSignal | undefined)[];
  readonly gate: Gate;
}

const kernel = ["/proc", "/sys", "/dev"];

const refusals: Readonly<Partial<Record<Word, Reason>>> = {
  denied: reasons.denied,
  folder: reasons.folder,
  special: reasons.special,
  broken: reasons.brokenLink,
  outside: reasons.outside,
  noroot: reasons.noRoot,
  huge: reasons.huge,
  failed: reasons.failed,
};

/** Answers all requests about one container, in order. Never throws: what has no answer in time is unreachable. */
export async function observeContainer(
  container: CheckedContainer,
  batch: ContainerBatch,
): Promise<readonly Observation[]> {
  const { requests, bounds, signals, gate } = batch;
  const answers = requests.map(({ binding }) => refused(binding.path, container));
  const open = [...answers.keys()].filter((place) => answers[place] === undefined);
  const { asked, placesOf } = distinct(open, requests);
  let reason: Reason = reasons.changing;
  try {
    if (asked.length > 0) {
      await within(bounds.deadlineMs, signals, (signal) => {
        const onAnswer = (index: number, told: Told): void => {
          if (signal.aborted) return;
          // Each request has its own answer, so a caller's change cannot affect another one.
          for (const place of placesOf[index] ?? []) answers[place] = observationOf(told);
        };
        return lookInto(container, asked, { gate, ...bounds, signal, onAnswer });
      });
    }
  } catch (error) {
    reason = reasonOf(error);
  }
  return answers.map((answer) => answer ?? { kind: "unreachable", reason });
}

function refused(path: string, { roots }: CheckedContainer): Observation | undefined {
  const reason = !isContainerPath(path)
    ? reasons.noPath
    : isBelow(path, kernel)
      ? reasons.kernel
      : isBelow(path, roots)
        ? undefined
        : reasons.outside;
  return reason === undefined ? undefined : { kind: "unreachable", reason };
}

/** Each question once. */
function distinct(places: readonly number[], requests: ContainerBatch["requests"]) {
  const asked: Asked[] = [];
  const placesOf: number[][] = [];
  const known = new Map<string, number[]>();
  for (const place of places) {
    const request = requests[place];
    if (request === undefined) continue;
    const one = questionOf(request);
    const key = JSON.stringify(one);
    const others = known.get(key);
    if (others !== undefined) {
      others.push(place);
      continue;
    }
    const mine = [place];
    known.set(key, mine);
    asked.push(one);
    placesOf.push(mine);
  }
  return { asked, placesOf };
}

function questionOf({ binding, known, want = "content" }: ObserveRequest<FilesystemBinding>): Asked {
  const hash = known?.sourceHash;
  const isHash = want === "content" && hash !== undefined && /^[0-9a-f]{64}$/.test(hash);
  return { path: binding.path, want, ...(isHash ? { known: hash } : {}) };
}

function observationOf(told: Told): Observation {
  switch (told.word) {
    case "same":
      return { kind: "unchanged", state: { sourceHash: told.hash } };
    case "large":
      return presentAs(told.hash, { withheld: "too_large" });
    case "text":
      return presentAs(told.hash, isUtf8(told.bytes) ? { text: told.bytes.toString("utf8") } : { withheld: "binary" });
    case "exists":
      return { kind: "exists" };
    case "absent":
      return { kind: "absent" };
    default:
      return { kind: "unreachable", reason: refusals[told.word] ?? reasons.execUnclear };
  }
}

type Content = Extract<Observation, { kind: "present" }>["content"];

function presentAs(sourceHash: string, content: Content): Observation {
  return { kind: "present", sourceHash, content, state: { sourceHash } };
}
