import type { RenderedPrompt } from "@cm/object-model";
import type { Managed } from "../managed/managed.ts";
import { within } from "../managed/within.ts";
import type { ExtensionAPI } from "../pi/pi-types.ts";
import { branchSummaryFor, compactionFor, type SessionFacts } from "./compaction-for.ts";
import { compactionLimits } from "./limits.ts";
import type { RequestBounds } from "./request-bounds.ts";

/** What compaction needs of the extension. */
export interface CompactionHost {
  /** The session that runs now, with its newest prompt. Undefined where none is managed: Pi compacts as ever then. */
  managed(): (Managed & { readonly prompt: RenderedPrompt | undefined }) | undefined;
  readonly bounds: RequestBounds;
}

/** Gives Pi our summaries in place of a model's, and learns from its compactions what the next request may weigh. */
export function handleCompaction(pi: Pick<ExtensionAPI, "on">, host: CompactionHost): void {
  pi.on("session_before_compact", async (event, { model }) => {
    const managed = host.managed();
    if (managed === undefined) return undefined;
    const { reason, preparation } = event;
    host.bounds.compacted({ reason, settings: preparation.settings, prompt: managed.prompt, model });
    return { compaction: compactionFor(event, await factsOf(managed)) };
  });
  pi.on("session_before_tree", async (event) => {
    const managed = host.managed();
    if (managed === undefined || !event.preparation.userWantsSummary) return undefined;
    const summary = branchSummaryFor(event, await factsOf(managed));
    return summary === undefined ? undefined : { summary };
  });
  pi.on("message_end", ({ message }) => {
    if (message.role !== "assistant" || message.stopReason === "error" || message.stopReason === "aborted") return;
    host.bounds.answered(message.provider, message.model);
  });
}

/** Nothing waits long for it, and nothing fails without it. */
async function factsOf(managed: Managed): Promise<SessionFacts> {
  try {
    const listed = managed.list({ limit: compactionLimits.listedMax });
    const { objects, next } = await within(listed, compactionLimits.factsMs);
    const files = objects.flatMap(({ kind, path, alias }) =>
      kind === "file" && path !== undefined ? [{ path, alias }] : [],
    );
    return { files, ...(next === undefined ? { objects: objects.length } : {}) };
  } catch {
    return {};
  }
}
