import {
  type AssistantEntry,
  argsPart,
  type ContextView,
  type JsonObject,
  type PartForm,
  type PromptMessage,
} from "@cm/object-model";
import { withoutReplaced } from "../forms/replaced-args.ts";
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

/** An assistant message with the arguments of some calls shortened; text, calls, ids and order stay. */
export function assistantInForms(
  view: ContextView,
  entry: AssistantEntry,
  formOf: (part: string) => PartForm,
): PromptMessage {
  const shortened = entry.calls.map(({ object }, call): ShortArgs | undefined => {
    const { form } = formOf(argsPart(entry.at, call));
    if (object === undefined || !canFoldArgs(entry, call)) return undefined;
    return form === "reference" || form === "replaced" ? { form, alias: aliasOf(view, object) } : undefined;
  });
  if (shortened.every((short) => short === undefined)) return assistantMessage(entry);
  return onceFor(entry, `args ${JSON.stringify(shortened)}`, () => withShortArgs(entry, shortened));
}

interface ShortArgs {
  readonly form: "reference" | "replaced";
  readonly alias: string;
}

function withShortArgs(entry: AssistantEntry, shortened: readonly (ShortArgs | undefined)[]): PromptMessage {
  const calls = entry.calls.map(({ callId, tool, args }, call) => {
    const short = shortened[call];
    return { callId, tool, args: short === undefined ? args : argsInForm(args, short) };
  });
  const folded = shortened.flatMap((short, call) =>
    short === undefined ? [] : [short.form === "replaced" ? `${call}r` : `${call}`],
  );
  return {
    ...assistantMessage(entry),
    id: `${entry.at}~args@${folded.join(",")}`,
    chars: calls.reduce((sum, call) => sum + argsChars(call.args), entry.text.length),
    calls,
  };
}

function argsInForm(args: JsonObject, { form, alias }: ShortArgs): JsonObject {
  return form === "reference" ? foldedArgs(alias) : withoutReplaced(args, alias);
}
