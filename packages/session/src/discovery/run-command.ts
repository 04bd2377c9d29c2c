import type { CommandOutcome, SetCommand, ViewObject } from "@cm/object-model";
import { unknownObject } from "../sets/transitions.ts";
import { whyNotShown } from "../spans/why-not-shown.ts";
import type { SessionState } from "../state/session-state.ts";
import type { OpenStep } from "../steps/open-step.ts";
import type { Lookout } from "../tracking/lookout.ts";
import { type AdoptableFile, lookToAdopt } from "./adoption.ts";
import type { Discovery } from "./foreign-files.ts";

export interface CommandContext {
  readonly state: SessionState;
  readonly step: OpenStep;
  readonly lookout: Lookout;
  readonly discovery: Discovery;
}

/** What the agent asks for. `adopt` brings a file of another session into index and pool. */
export type AgentCommand = SetCommand | { readonly action: "adopt"; readonly id: string };

/** Commands that mean an object's own: one of others comes in first, where the session may have it. */
const adopting: ReadonlySet<AgentCommand["action"]> = new Set(["adopt", "activate", "pin", "show"]);

/** Runs a command of the agent. What it must not or cannot have is refused in a sentence, and changes nothing. */
export async function runCommand(
  context: CommandContext,
  { action, id: idOrAlias }: AgentCommand,
): Promise<CommandOutcome> {
  const { state, step } = context;
  const id = state.aliases.resolve(idOrAlias);
  const isForeign = !state.sets.index.has(id) && adopting.has(action);
  const foreign = isForeign ? await lookToAdopt(context, id) : undefined;
  if (action === "adopt" && isForeign && foreign === undefined) return { done: false, reason: unknownObject };
  const refusal = action === "activate" ? await whyNotActivated(context, id, foreign) : undefined;
  if (refusal !== undefined) return { done: false, reason: refusal };
  if (foreign !== undefined) step.adopt(foreign);
  const outcome = step.command({ event: action, id });
  if ("refused" in outcome) return { done: false, reason: outcome.refused };
  return { done: true, id, changed: foreign !== undefined || Object.keys(outcome.changes).length > 0 };
}

/** An object without text is looked at again; only where that gives none and no part was ever seen, there is a reason. */
async function whyNotActivated(
  { state, lookout }: CommandContext,
  id: string,
  foreign: AdoptableFile | undefined,
): Promise<string | undefined> {
  const object: ViewObject | undefined = state.objects.get(id);
  if (foreign !== undefined) {
    if (foreign.document.content !== null) return undefined;
    const unreachable = lookout.whyUnreachable(id);
    return whyNotShown({ object: { alias: id, kind: "file" }, textless: foreign.document.null_reason, unreachable });
  }
  if (object?.textless === undefined) return undefined;
  if (object.kind === "file" && object.textless !== "erased") {
    const looked = (await lookout.read(id)).find((file) => file.id === id)?.document;
    if (typeof (looked?.content ?? object.text) === "string") return undefined;
    const unreachable = lookout.whyUnreachable(id);
    return whyNotShown({ object, textless: looked?.null_reason ?? object.textless, unreachable });
  }
  return object.text === null ? whyNotShown({ object, textless: object.textless, unreachable: undefined }) : undefined;
}
