import { overLimit } from "../errors.ts";
import { lineageLimits } from "../limits.ts";
import type { Answers } from "../rules/answers.ts";
import type { EnvironmentRequest } from "../rules/environment.ts";
import type { Metadata } from "../rules/merge-metadata.ts";
import { checkName } from "../rules/names.ts";
import type { RunInput } from "../rules/run-input.ts";

/** What every new run may say. */
export interface RunRequest {
  /** Default: a fresh one. An id is never used twice. */
  readonly id?: string;
  readonly input: RunInput;
  /** Default: the conversation's. */
  readonly presetId?: string;
  /** Default: `sse`. The run goes on with or without a reader. */
  readonly transport?: "sse" | "stream";
  readonly streamKey?: string;
  /** Default: that of the run that it follows. */
  readonly environment?: EnvironmentRequest;
}

export interface RootRequest extends RunRequest {
  /** Default: the beginning of the first text. */
  readonly title?: string;
  readonly metadata?: Metadata;
}

export interface ContinueRequest extends RunRequest {
  readonly conversationId: string;
  /** The snapshot that the caller knows as the newest. Default: whichever is. */
  readonly parentId?: string;
  /** What is said to the calls that wait since the parent. What is not covered is denied or failed. */
  readonly answers?: Answers;
  /** Merged into those of the conversation; null removes a member. */
  readonly metadata?: Metadata;
}

export interface ForkRequest extends RunRequest {
  readonly conversationId: string;
  /** Any snapshot of the conversation. Default: the newest of its agent. */
  readonly from?: string;
  readonly title?: string;
  /** Of the new conversation, which has none of the old one's. */
  readonly metadata?: Metadata;
  readonly answers?: Answers;
}

export interface SubagentRequest extends RunRequest {
  /** The run that dispatches it. */
  readonly spawnedBy: string;
  /** Dispatched again under the same name it goes on from its own last snapshot. */
  readonly name: string;
  readonly presetEnvironment?: EnvironmentRequest;
  readonly defaultEnvironment?: EnvironmentRequest;
  readonly answers?: Answers;
}

/** @throws CmError `lineage/invalid`, `lineage/limit` */
export function checkRequest({ input, presetId, streamKey }: RunRequest): void {
  const bytes = Buffer.byteLength(JSON.stringify(input) ?? "");
  if (bytes > lineageLimits.inputBytesMax) throw overLimit("inputBytesMax", bytes);
  if (presetId !== undefined) checkName("presetId", presetId);
  if (streamKey !== undefined) checkName("streamKey", streamKey);
}
