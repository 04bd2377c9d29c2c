import type { Answers } from "@cm/lineage";
import type { RecoveredTask } from "../governance/asked-task.ts";
import type { TaskSetting } from "../governance/governance-options.ts";
import type { DeferredToolSetting } from "../presets/preset-schema.ts";
import type { RunInput } from "./run-input.ts";

/** What a request for any run may say. */
export interface WantedRun {
  /** Default: a fresh one. */
  readonly id?: string | undefined;
  readonly preset?: string | undefined;
  readonly workspace?: string | undefined;
  readonly folders?: readonly string[] | undefined;
  readonly input?: RunInput | undefined;
  /** The input is that of a run that was interrupted before it had anything, whose caller asks again. */
  readonly repeats?: boolean | undefined;
  readonly answers?: Answers | undefined;
  /** What the caller can do beside the preset's tools, in this run alone: a call of them ends it as awaiting. */
  readonly tools?: readonly DeferredToolSetting[] | undefined;
  readonly transport: "sse" | "stream";
  /** Of a fork: whether it gets folders of its own with the files as they were then. Default: it works where its source did. */
  readonly files?: "as_they_are" | "as_they_were" | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** What a governed run may; what it does not say is the server's. */
  readonly task?: Partial<TaskSetting> | undefined;
  /** The governed session that a fork continues as another one. */
  readonly continues?: string | undefined;
  /** The task that a crash interrupted: the run goes on with it. */
  readonly recovers?: RecoveredTask | undefined;
}

/** Which run it is to be, in the words of the lineage. */
export type WantedKind =
  | { readonly kind: "root" }
  | { readonly kind: "continue"; readonly conversationId: string; readonly parentId?: string | undefined }
  | { readonly kind: "fork"; readonly conversationId: string; readonly from?: string | undefined }
  | { readonly kind: "fire"; readonly conversationId: string };
