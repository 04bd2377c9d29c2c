import type { S3Binding } from "@cm/object-model";
import { AnswerError } from "../client/answer-error.ts";
import { sourceHashOf } from "../client/etag.ts";
import type { S3Reason } from "../client/reason.ts";
import { isFailure, type S3Wire } from "../client/s3-wire.ts";
import type { Stop } from "../client/stop.ts";
import { BucketCheck, confirmAbsence } from "./bucket-check.ts";
import { Outages } from "./outages.ts";

/** Whether an object is there, and which version of it, without its bytes. */
export type Look =
  | { readonly kind: "there"; readonly sourceHash: string; readonly bytes: number | undefined }
  | { readonly kind: "absent" }
  | { readonly kind: "unreachable"; readonly reason: S3Reason };

export interface Looking {
  readonly wire: S3Wire;
  readonly stop: Stop;
  readonly buckets: BucketCheck;
  readonly outages: Outages;
}

/** The context of one observation of many objects. */
export function lookingWith(wire: S3Wire, stop: Stop): Looking {
  return { wire, stop, buckets: new BucketCheck(wire, stop), outages: new Outages() };
}

export async function lookAt(binding: S3Binding, looking: Looking): Promise<Look> {
  const { wire, stop, buckets, outages } = looking;
  const known = stop.reason ?? outages.of(binding);
  if (known !== undefined) return unreachable(known);
  const input = { Bucket: binding.bucket, Key: binding.key };
  const answer = await wire.ask(binding, stop, async ({ sdk, client, stop: ends }) => {
    const head = await client.send(new sdk.HeadObjectCommand(input), { abortSignal: ends.signal });
    const sourceHash = sourceHashOf(head.ETag);
    if (sourceHash === undefined) throw new AnswerError("answer not understood");
    return { kind: "there" as const, sourceHash, bytes: head.ContentLength };
  });
  if (!isFailure(answer)) return answer;
  if (answer.kind === "failed") {
    outages.note(binding, answer.reason);
    return unreachable(answer.reason);
  }
  if (answer.kind === "not-modified") return unreachable("answer not understood");
  const confirmed = await confirmAbsence(binding, answer.certain, buckets);
  return confirmed.kind === "absent" ? confirmed : unreachable(confirmed.reason);
}

export const unreachable = (reason: S3Reason): { readonly kind: "unreachable"; readonly reason: S3Reason } => ({
  kind: "unreachable",
  reason,
});
