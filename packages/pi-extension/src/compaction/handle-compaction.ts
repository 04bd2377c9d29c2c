import type { AssembleOptions, RenderedPrompt } from "@cm/context-log";
import { visibleClause } from "@cm/terminal-text";
import type { SessionBeforeCompactEvent, SessionBeforeCompactResult } from "@earendil-works/pi-coding-agent";
import type { WishedWeight } from "../branch/branch-items.ts";
import type { Managed } from "../managed/managed.ts";
import { withTimeout } from "../managed/with-timeout.ts";
import type { ExtensionAPI, ExtensionContext } from "../pi/pi-types.ts";
import { branchSummaryFor, compactionFor, type SessionFacts } from "./compaction-for.ts";
import { compactionLimits } from "./limits.ts";
import { plannedFold, type Weigh } from "./plan-fold.ts";
import type { RequestBounds } from "./request-bounds.ts";
import { requestSummary } from "./request-summary.ts";
import { sentTokens } from "./sent-tokens.ts";

/** The session that runs now, with its newest prompt and what its next one would weigh in bytes. */
export interface CompactedSession extends Managed {
  readonly prompt: RenderedPrompt | undefined;
  weigh(options: AssembleOptions): Promise<number>;
}

/** What compaction needs of the extension. */
export interface CompactionHost {
  /** Undefined where no session is managed: Pi compacts as ever then. */
  managed(): CompactedSession | undefined;
  readonly bounds: RequestBounds;
}

const nothingToCompact =
  "Nothing to compact: almost all of the prompt is your messages, the agent's answers and its newest outputs, and these " +
  "stay. No model was asked, and nothing was written.";

/** Gives Pi its summaries with our data beside them, and learns from compactions what the next request may weigh. */
export function handleCompaction(pi: Pick<ExtensionAPI, "on">, host: CompactionHost): void {
  pi.on("session_before_compact", async (event, ctx) => {
    const managed = host.managed();
    return managed === undefined ? undefined : compacted(event, ctx, { managed, bounds: host.bounds });
  });
  pi.on("session_before_tree", (event) => {
    const summary = host.managed() === undefined ? undefined : branchSummaryFor(event);
    return summary === undefined ? undefined : { summary };
  });
  pi.on("message_end", ({ message }) => {
    if (message.role !== "assistant" || message.stopReason === "error" || message.stopReason === "aborted") return;
    host.bounds.answered(message.provider, message.model);
  });
}

interface Compacting {
  readonly managed: CompactedSession;
  readonly bounds: RequestBounds;
}

/** Only a person hears that there is nothing to compact: for a waiting request, Pi asks again at every step. */
async function compacted(
  event: SessionBeforeCompactEvent,
  ctx: ExtensionContext,
  { managed, bounds }: Compacting,
): Promise<SessionBeforeCompactResult> {
  const { reason, preparation, branchEntries, signal } = event;
  const { prompt } = managed;
  const { settings } = preparation;
  const isAsked = reason === "manual";
  const wish = isAsked ? await wishFor(managed, bounds.optionsFor(ctx), settings.keepRecentTokens) : undefined;
  if (isAsked && wish === undefined) {
    tell(ctx, nothingToCompact, "info");
    return { cancel: true };
  }
  bounds.compacted({ reason, settings, prompt, model: ctx.model });
  const asked = await requestSummary(event, ctx);
  if (signal.aborted) return { cancel: true };
  if (asked.kind === "failed") {
    // Without a summary nothing that was said may be shortened, and folding alone was not enough.
    const isLeft = wish?.dialogueToBytes !== undefined;
    tell(ctx, `${noSummary(asked.reason)} ${isLeft ? leftAlone : withoutModel}`, "warning");
    if (isLeft) return { cancel: true };
  }
  return {
    compaction: compactionFor(event, {
      wish,
      known: await factsOf(managed),
      asked: asked.kind === "summary" ? asked : undefined,
      tokensBefore: sentTokens(branchEntries, prompt),
    }),
  };
}

/** A session that cannot say what it weighs is not asked twice: it folds to what Pi alone would keep. */
async function wishFor(
  managed: CompactedSession,
  options: AssembleOptions,
  keepRecentTokens: number,
): Promise<WishedWeight | undefined> {
  try {
    const weigh: Weigh = (wish) => managed.weigh(wish === undefined ? options : { ...options, cache: "cold", ...wish });
    return await plannedFold(weigh, keepRecentTokens);
  } catch {
    return { foldToBytes: keepRecentTokens * compactionLimits.bytesPerKeptToken };
  }
}

const noSummary = (reason: string): string =>
  `The model gave no summary (${visibleClause(reason, compactionLimits.reasonCharsMax)}).`;
const withoutModel =
  "Context Manager wrote one without it: your prompts, the files and the newest answer. What was decided stands only in the " +
  "session's messages.";
const leftAlone = "Nothing was compacted: without one, nothing that was said can be shortened. Try /compact again.";

/** Other modes print for programs. */
function tell({ hasUI, ui }: ExtensionContext, text: string, type: "info" | "warning"): void {
  if (hasUI) ui.notify(text, type);
}

/** Nothing waits long for it, and nothing fails without it. */
async function factsOf(managed: Managed): Promise<SessionFacts> {
  try {
    const listed = managed.list({ limit: compactionLimits.listedMax });
    const { objects, next } = await withTimeout(listed, compactionLimits.factsMs);
    const files = objects.flatMap(({ kind, path, alias }) =>
      kind === "file" && path !== undefined ? [{ path, alias }] : [],
    );
    return { files, ...(next === undefined ? { objects: objects.length } : {}) };
  } catch {
    return {};
  }
}
