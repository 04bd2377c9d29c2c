import { isUtf8 } from "node:buffer";
import { Readable } from "node:stream";
import type { GetObjectCommandOutput } from "@aws-sdk/client-s3";
import { defined, type KnownState, type Observation, type S3Binding } from "@cm/object-model";
import { AnswerError } from "../client/answer-error.ts";
import { conditionOf, sourceHashOf } from "../client/etag.ts";
import { type Failure, failureOf } from "../client/failure.ts";
import { isFailure, type Sending } from "../client/s3-wire.ts";
import { limits } from "../limits.ts";
import { confirmAbsence } from "./bucket-check.ts";
import { type Looking, lookAt, unreachable } from "./look.ts";
import { isProven } from "./proof.ts";
import { readBody } from "./read-body.ts";

export interface Reading {
  readonly binding: S3Binding;
  readonly known: KnownState | undefined;
  readonly contentBytesMax: number;
}

/** An object's bytes with the ETag of the same answer; not yet proven to be all of them. */
interface Read {
  readonly kind: "read";
  readonly bytes: Buffer | "too_large";
  readonly proven: boolean;
  readonly state: KnownState & { readonly sourceHash: string };
}

/** One object by a conditional GET. */
export async function readObject(reading: Reading, looking: Looking): Promise<Observation> {
  const { stop, outages } = looking;
  const unreached = stop.reason ?? outages.of(reading.binding);
  if (unreached !== undefined) return unreachable(unreached);
  for (let round = 0; round < limits.roundsMax; round++) {
    const answer = await looking.wire.ask(reading.binding, looking.stop, (sending) => getObject(reading, sending));
    if (isFailure(answer)) return observationOf(answer, reading, looking);
    if (answer.kind === "unchanged") return answer;
    if (answer.proven || answer.bytes === "too_large") return presentOf(answer);
    const look = await lookAt(reading.binding, looking);
    if (look.kind === "unreachable") return look;
    // Another one by now, or gone: the next read says which.
    if (look.kind === "absent" || look.sourceHash !== answer.state.sourceHash) continue;
    return look.bytes === answer.bytes.length ? presentOf(answer) : unreachable("answer cut off");
  }
  return unreachable("changes too fast");
}

function presentOf({ bytes, state }: Read): Observation {
  return { kind: "present", sourceHash: state.sourceHash, content: contentOf(bytes), state };
}

function contentOf(bytes: Read["bytes"]): { text: string } | { withheld: "too_large" | "binary" } {
  if (bytes === "too_large") return { withheld: bytes };
  return isUtf8(bytes) ? { text: bytes.toString("utf8") } : { withheld: "binary" };
}

async function getObject(
  reading: Reading,
  { sdk, client, stop }: Sending,
): Promise<Read | Extract<Observation, { kind: "unchanged" }>> {
  const { binding, known, contentBytesMax } = reading;
  const condition = conditionOf(known?.sourceHash);
  const command = new sdk.GetObjectCommand({
    Bucket: binding.bucket,
    Key: binding.key,
    ...defined({ IfNoneMatch: condition }),
  });
  const answer = await client.send(command, { abortSignal: stop.signal }).catch((error: unknown) => {
    const failure = failureOf(error);
    // An S3 server names the missing one of the two. A 404 without that name was cut off, or comes from another server.
    if (failure.kind === "missing" && !failure.certain) throw new AnswerError("answer not understood");
    throw error;
  });
  // Later errors of an abandoned body's stream are irrelevant, and would end the process.
  if (answer.Body instanceof Readable) answer.Body.on("error", () => {});
  const state = stateOf(answer);
  // A server may not know the condition; what it says is the same.
  if (state.sourceHash === known?.sourceHash) return { kind: "unchanged", state };
  const bytes = await readBody(answer, contentBytesMax);
  return { kind: "read", bytes, state, proven: bytes !== "too_large" && isProven(answer, bytes) };
}

function stateOf({ ETag, VersionId }: GetObjectCommandOutput): Read["state"] {
  const sourceHash = sourceHashOf(ETag);
  if (sourceHash === undefined) throw new AnswerError("answer not understood");
  const remembered = VersionId !== undefined && VersionId.length <= limits.versionIdCharsMax;
  return { sourceHash, ...(remembered ? { hint: VersionId } : {}) };
}

async function observationOf(failure: Failure, { binding, known }: Reading, looking: Looking): Promise<Observation> {
  if (failure.kind === "failed") {
    looking.outages.note(binding, failure.reason);
    return unreachable(failure.reason);
  }
  if (failure.kind === "not-modified") {
    const { sourceHash, hint } = known ?? {};
    const other = failure.etag !== undefined && sourceHashOf(failure.etag) !== sourceHash;
    if (sourceHash === undefined || other) return unreachable("answer not understood");
    return { kind: "unchanged", state: { sourceHash, ...defined({ hint }) } };
  }
  const confirmed = await confirmAbsence(binding, failure.certain, looking.buckets);
  return confirmed.kind === "absent" ? confirmed : unreachable(confirmed.reason);
}
