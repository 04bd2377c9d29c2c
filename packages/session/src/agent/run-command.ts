import type { CommandOutcome, RecallOutcome, SetCommand, ViewObject } from "@cm/context-log";
import { type LogState, leveledObject, namedObject, unknownObject, whyNotShown } from "@cm/context-log/state";
import type { FileWatch } from "../files/file-watch.ts";
import { type AdoptableFile, type Discovery, lookToAdopt } from "../files/foreign-files.ts";
import type { OpenStep } from "../step/open-step.ts";
import { type StoredCall, storedCalls } from "./stored-texts.ts";

export interface CommandContext {
  readonly state: LogState;
  readonly step: OpenStep;
  readonly watch: FileWatch;
  readonly discovery: Discovery;
}

/** What the agent asks for. `adopt` brings a file of another session into index and pool. */
type AgentCommand = SetCommand | { readonly action: "adopt"; readonly id: string };

/** Commands that mean an object's own: one of others comes in first, where the session may have it. */
const adopting: ReadonlySet<AgentCommand["action"]> = new Set(["adopt", "activate", "pin", "show"]);

/** Runs a command of the agent. What it must not or cannot have is refused in a sentence, and changes nothing. */
export async function runCommand(context: CommandContext, { action, id: name }: AgentCommand): Promise<CommandOutcome> {
  const { state, step } = context;
  const id = namedObject(state, name);
  const isForeign = !state.sets.index.has(id) && adopting.has(action);
  const foreign = isForeign ? await lookToAdopt(context, id) : undefined;
  if (action === "adopt" && isForeign && foreign === undefined) return { done: false, reason: unknownObject };
  if (action === "activate") await bringFromStore(context, id);
  const { refusal } = action === "activate" ? await textNow(context, id, foreign) : {};
  if (refusal !== undefined) return { done: false, reason: refusal };
  if (foreign !== undefined) step.adopt(foreign);
  const outcome = step.command({ event: action, id });
  if ("refused" in outcome) return { done: false, reason: outcome.refused };
  return { done: true, id, changed: foreign !== undefined || Object.keys(outcome.changes).length > 0 };
}

/** The text of an object, for the result of the call that asks for it. Nothing moves: `IncomingResult.shows` does that. */
export async function recallObject(context: CommandContext, name: string): Promise<RecallOutcome> {
  const { state } = context;
  const id = namedObject(state, name);
  if (!state.sets.index.has(id)) return { done: false, reason: unknownObject };
  const stored = await storedCall(context, id);
  if (stored !== undefined) return storedOutcome(state, stored);
  const { refusal, found } = await textNow(context, id, undefined);
  if (refusal !== undefined) return { done: false, reason: refusal };
  const known = leveledObject(state, id);
  if (known === undefined) return { done: false, reason: unknownObject };
  const { textless, ...shown } = known;
  const object = found === undefined ? known : { ...shown, text: found };
  const call =
    object.kind === "file" ? undefined : state.log.findLast((entry) => entry.kind === "result" && entry.object === id);
  return { done: true, object, ...(call?.kind === "result" ? { args: call.args } : {}) };
}

/** A call whose messages left the prompt, with its text. */
async function storedCall({ state, discovery }: CommandContext, id: string): Promise<StoredCall | undefined> {
  const object = state.objects.get(id);
  return object?.inStore === true ? (await storedCalls(discovery.store, [object])).get(id) : undefined;
}

function storedOutcome(state: LogState, { object, args }: StoredCall): RecallOutcome {
  const known = leveledObject(state, object.id);
  if (known === undefined) return { done: false, reason: unknownObject };
  const { inStore: _inStore, ...rest } = known;
  if (object.text === null)
    return { done: false, reason: whyNotShown({ object, textless: object.textless, unreachable: undefined }) };
  return { done: true, object: { ...rest, ...object }, args };
}

/** What is asked for stands in the next prompt, so its text is at hand from here on. */
async function bringFromStore(context: CommandContext, id: string): Promise<void> {
  const stored = await storedCall(context, id);
  if (stored !== undefined) context.step.bring(stored.object);
}

/**
 * An object without text is looked at again: `found` is what the session does not have yet. Only where that gives none and
 * no part was ever seen, there is a refusal.
 */
async function textNow(
  { state, watch }: CommandContext,
  id: string,
  foreign: AdoptableFile | undefined,
): Promise<{ readonly refusal?: string | undefined; readonly found?: string }> {
  const object: ViewObject | undefined = state.objects.get(id);
  if (foreign !== undefined) {
    if (foreign.document.content !== null) return {};
    const unreachable = watch.whyUnreachable(id);
    const textless = foreign.document.null_reason;
    return { refusal: whyNotShown({ object: { alias: id, kind: "file" }, textless, unreachable }) };
  }
  if (object?.textless === undefined) return {};
  if (object.kind === "file" && object.textless !== "erased") {
    const looked = (await watch.read(id)).find((file) => file.id === id || file.succeeds === id)?.document;
    if (typeof looked?.content === "string") return { found: looked.content };
    if (object.text !== null) return {};
    const unreachable = watch.whyUnreachable(id);
    return { refusal: whyNotShown({ object, textless: looked?.null_reason ?? object.textless, unreachable }) };
  }
  if (object.text !== null) return {};
  return { refusal: whyNotShown({ object, textless: object.textless, unreachable: undefined }) };
}
