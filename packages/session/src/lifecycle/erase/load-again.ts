import type { Prices, RenderedPrompt } from "@cm/context-log";
import { type ContextLog, rendered, type StepObjects } from "@cm/context-log/state";
import type { ObjectStore } from "@cm/object-model";
import { sessionError } from "../../errors.ts";
import { loadPath, logAfter, type RecordedRequest } from "../../history/load-state.ts";
import type { SessionHeads } from "../../history/read-path.ts";
import type { RendererFor } from "../../history/rebuild.ts";
import { SystemPrompts, type SystemPromptText } from "../../history/system-prompts.ts";

/** What an open session loads its state with once more. */
export interface LoadAgainOptions {
  readonly store: ObjectStore;
  readonly session: string;
  readonly prices: Prices;
  readonly headChars: number;
  readonly rendererFor: RendererFor;
}

export interface LoadedAgain {
  readonly log: ContextLog;
  /** The system prompt in the store; undefined where it was erased. */
  readonly systemPrompt: SystemPromptText;
  readonly file: StepObjects["file"];
}

/** The state at the heads that an open session knows, from the store as it is now. @throws CmError `session/damaged` */
export async function loadAgain(
  { store, session, rendererFor, ...settings }: LoadAgainOptions,
  heads: Pick<SessionHeads, "session">,
): Promise<LoadedAgain> {
  const { head, chain } = heads.session;
  const systemPrompts = new SystemPrompts(store);
  const render = recordedRenderer(rendererFor, systemPrompts);
  const path = await loadPath(store, head);
  const log = await logAfter(path, session, { ...settings, render });
  if (log.state.chain === chain)
    return { log, systemPrompt: await systemPrompts.newest(session), file: path.objects.file };
  throw sessionError(
    "session/damaged",
    `The steps of session ${session} changed. Run a verification of its database.`,
    {
      session,
    },
  );
}

/** Renders recorded requests once more, each with the system prompt of the session that it is of. */
export function recordedRenderer(rendererFor: RendererFor, systemPrompts: SystemPrompts) {
  return async ({ layout, written, view, decision, session }: RecordedRequest): Promise<RenderedPrompt | undefined> => {
    const systemPrompt = (await systemPrompts.at(session, written)) ?? "";
    const renderer = rendererFor(layout);
    return renderer === undefined ? undefined : rendered(renderer, { ...view, systemPrompt }, decision);
  };
}
