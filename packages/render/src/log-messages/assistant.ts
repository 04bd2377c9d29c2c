import { type AssistantEntry, argsPart, type ContextView, type PartForm, type PromptMessage } from "@cm/object-model";
import { argsChars } from "../messages/content.ts";
import { onceFor } from "../messages/memo.ts";
import { assistantMessage } from "../messages/verbatim.ts";
import { aliasOf } from "./part-forms.ts";

/** What stands in place of folded arguments: the object that keeps them. */
export const foldedArgs = (alias: string): { readonly ref: string } => ({ ref: alias.toWellFormed() });

/** Thinking and its signature bind a message to its bytes, and without an object nothing could bring arguments back. */
export function canFoldArgs(entry: AssistantEntry, call: number): boolean {
  return entry.thinking.length === 0 && entry.calls[call]?.object !== undefined;
}

/** An assistant message with the arguments of some calls folded; text, calls, ids and order stay. */
export function assistantInForms(
  view: ContextView,
  entry: AssistantEntry,
  formOf: (part: string) => PartForm,
): PromptMessage {
  const aliases = entry.calls.map(({ object }, call) =>
    object !== undefined && formOf(argsPart(entry.at, call)).form === "reference" && canFoldArgs(entry, call)
      ? aliasOf(view, object)
      : undefined,
  );
  if (aliases.every((alias) => alias === undefined)) return assistantMessage(entry);
  return onceFor(entry, `args ${JSON.stringify(aliases)}`, () => withFoldedArgs(entry, aliases));
}

function withFoldedArgs(entry: AssistantEntry, aliases: readonly (string | undefined)[]): PromptMessage {
  const calls = entry.calls.map(({ callId, tool, args }, call) => {
    const alias = aliases[call];
    return { callId, tool, args: alias === undefined ? args : foldedArgs(alias) };
  });
  const folded = aliases.flatMap((alias, call) => (alias === undefined ? [] : [call]));
  return {
    ...assistantMessage(entry),
    id: `${entry.at}~args@${folded.join(",")}`,
    chars: calls.reduce((sum, call) => sum + argsChars(call.args), entry.text.length),
    calls,
  };
}
