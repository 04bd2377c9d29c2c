import type { CommandOutcome, LeveledObject, RecallOutcome, SetCommand, Textless, ViewObject } from "@cm/context-log";
import { type LogState, leveledObject, namedObject, unknownObject, whyNotShown } from "@cm/context-log/state";
import { defined, type JsonObject } from "@cm/object-model";
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
  const known = await asItIsNow(context, leveledObject(state, id));
  if (known === undefined) return { done: false, reason: refusal ?? unknownObject };
  const call =
    known.kind === "file" ? undefined : state.log.findLast((entry) => entry.kind === "result" && entry.object === id);
  const args = call?.kind === "result" ? { args: call.args } : {};
  if (refusal !== undefined) {
    // Without a text nothing says that only the store has it: its messages may have left all the same.
    const left = known.kind === "file" || call !== undefined ? undefined : await readCall(context, known);
    return left === undefined ? notShown(refusal, { object: known, ...args }) : storedOutcome(state, left);
  }
  const { textless, ...shown } = known;
  return { done: true, object: found === undefined ? known : { ...shown, text: found }, ...args };
}

/** A file may have changed since the request that the call answers: what is told to be as it is now is looked at now. */
async function asItIsNow(
  { watch }: CommandContext,
  known: LeveledObject | undefined,
): Promise<LeveledObject | undefined> {
  if (known?.kind !== "file" || known.textless !== undefined) return known;
  const { content, null_reason } = (await watch.lookAt(known.id))?.document ?? {};
  const textless: Textless | undefined = watch.whyUnreachable(known.id) === undefined ? null_reason : "unreachable";
  return { ...known, text: content ?? known.text, ...defined({ textless }) };
}

/** Of a call without a known output its arguments may be asked for all the same; what was erased of one took them along. */
function notShown(
  reason: string,
  { object, args }: { readonly object: LeveledObject; readonly args?: JsonObject },
): RecallOutcome {
  const isGone = object.textless === "erased" || object.textless === "missing";
  return { done: false, reason, ...(args === undefined || isGone ? {} : { call: { object, args } }) };
}

/** A call whose messages left the prompt, with its text. */
async function storedCall(context: CommandContext, id: string): Promise<StoredCall | undefined> {
  const object = context.state.objects.get(id);
  return object?.inStore === true ? readCall(context, object) : undefined;
}

const readCall = async ({ discovery }: CommandContext, object: ViewObject): Promise<StoredCall | undefined> =>
  (await storedCalls(discovery.store, [{ ...object, inStore: true }])).get(object.id);

function storedOutcome(state: LogState, { object, args }: StoredCall): RecallOutcome {
  const known = leveledObject(state, object.id);
  if (known === undefined) return { done: false, reason: unknownObject };
  const { inStore: _inStore, ...rest } = known;
  const shown = { ...rest, ...object };
  if (object.text !== null) return { done: true, object: shown, args };
  return notShown(whyNotShown({ object, textless: object.textless, unreachable: undefined }), { object: shown, args });
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
