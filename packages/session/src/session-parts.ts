import type { ContextPolicy, OtherWriter, Prices, Renderer, WindowBound } from "@cm/context-log";
import type { LogState } from "@cm/context-log/state";
import type { ObjectStore } from "@cm/object-model";
import type { Checkouts } from "./files/ask-checkouts.ts";
import type { LookoutOptions } from "./files/file-watch.ts";
import type { Discovery } from "./files/foreign-files.ts";
import type { KnownStates } from "./files/known-states.ts";
import type { SessionHeads } from "./history/read-path.ts";
import type { RendererFor } from "./history/rebuild.ts";
import type { Redactor } from "./input/clean-text.ts";
import type { LoadedAgain } from "./lifecycle/erase/load-again.ts";
import type { ResumeReport } from "./lifecycle/resume-report.ts";
import type { Resuming } from "./lifecycle/resuming.ts";
import type { StepWriter } from "./step/step-writer.ts";

/** What an open session is made of; `openSession` puts it together. */
export interface SessionParts extends LookoutOptions {
  readonly store: ObjectStore;
  readonly policy: ContextPolicy;
  readonly renderer: Renderer;
  readonly rendererFor: RendererFor;
  readonly prices: Prices;
  readonly window: WindowBound | undefined;
  readonly redact: Redactor | undefined;
  readonly now: () => number;
  readonly discovery: Discovery;
  readonly state: LogState;
  readonly client: string;
  readonly writer: StepWriter;
  readonly opened: Omit<OpenedSession, "report">;
  readonly resuming: Resuming;
  readonly checkouts: Checkouts;
  readonly knownStates: KnownStates;
  readonly loadAgain: (heads: SessionHeads) => Promise<LoadedAgain>;
}

/** How a session was found when it was opened. */
export interface OpenedSession {
  /** It was there before. */
  readonly continued: boolean;
  /** What had changed meanwhile; absent where nobody looked yet. */
  readonly report?: ResumeReport;
  /** Held the lease then: two clients write this session (SSOT 2.6). */
  readonly otherWriter?: OtherWriter;
  /** Messages that had been received before it was paused, and stand in the next request. */
  readonly pendingMessages: number;
}
