import type { ContextView, ViewObject } from "@cm/context-log";
import { CmError } from "@cm/object-model";
import { type PartWhy, whyParts } from "@cm/render";
import type { Fold } from "@cm/session";
import { counted, momentText, visibleLine } from "@cm/terminal-text";
import { objectOf } from "../../folded/folded-parts.ts";
import { objectName } from "../../folded/object-name.ts";
import type { SessionSnapshot } from "../../managed/managed.ts";
import { tokensOf } from "../../text/token-count.ts";
import type { CommandHost } from "../command-host.ts";
import { commandLimits } from "../command-limits.ts";
import { agoText } from "../context/fold-rows.ts";
import { requireManaged } from "../require-managed.ts";
import { requireSteering } from "../require-steering.ts";
import { foldReason, reasonWords } from "./why-words.ts";

/** Why an object's text stands in the context, or does not, and how it comes back. @throws CmError `pi/not-found` */
export async function whyReport(host: CommandHost, name: string, cwd: string): Promise<string> {
  const managed = requireManaged(host);
  const { options } = requireSteering(managed);
  const object = await managed.show(name);
  const inside = await managed.inside();
  if (object === undefined) {
    const shown = visibleLine(name, commandLimits.noteCharsMax);
    throw new CmError("pi/not-found", `This session has not met ${shown}; /cm objects lists what it has.`);
  }
  const parts = worthSaying(whyParts(inside.view, object.id, options));
  const head = `${object.alias} ${objectName(object, cwd, commandLimits.fieldCharsMax)}`;
  if (parts.length === 0) return `${head}\nNo text of it stands in the context: the agent has not read it.`;
  // What came last is asked for most.
  const shown = parts.slice(-commandLimits.textsExplainedMax).toReversed();
  const older = parts.length - shown.length;
  return [
    head,
    ...shown.map((part) => partText(inside, object, part)),
    ...(older > 0 ? [`And ${counted(older, "text")} of it before.`] : []),
    ...back(inside.view, parts),
  ].join("\n");
}

/** Without the arguments of calls that are too short to be worth a word. */
function worthSaying(parts: readonly PartWhy[]): readonly PartWhy[] {
  const worth = parts.filter(({ isArgs, reason }) => !isArgs || reason.why !== "no gain");
  return worth.length === 0 ? parts : worth;
}

function partText(
  { view, folds }: SessionSnapshot,
  object: ViewObject,
  { key, isArgs, fullChars, reason }: PartWhy,
): string {
  const alias = view.objects.get(objectOf(view, key) ?? "")?.alias ?? object.alias;
  const what = `${isArgs ? "Its arguments" : object.kind === "file" ? `What ${alias} showed of it` : "Its output"} (${tokensOf(fullChars)})`;
  if (reason.why !== "folded") {
    const words = reasonWords(reason);
    return `${what} ${isArgs ? words.replace(/^stands /, "stand ") : words}`;
  }
  return `${what} ${isArgs ? "are" : "is"} folded ${foldText(view, folds, key)}.`;
}

/** `since 2026-11-23 12:40:03Z, 3 requests ago: its output had been read`. */
function foldText(view: ContextView, folds: readonly Fold[], key: string): string {
  const fold = folds.findLast(({ forms }) => forms[key] !== undefined);
  if (fold === undefined) return "";
  const form = fold.forms[key];
  const file = form?.form === "reference" && form.file === "changed" ? "; the file has changed since it was read" : "";
  const when = [momentText(fold.atMs), agoText(view.step - fold.step)].filter((text) => text !== "").join(", ");
  return `since ${when}: ${foldReason(fold.reasons, key)}${file}`;
}

/** How a folded text comes back. */
function back(view: ContextView, parts: readonly PartWhy[]): readonly string[] {
  const folded = parts.findLast(({ reason }) => reason.why === "folded");
  const alias = folded && view.objects.get(objectOf(view, folded.key) ?? "")?.alias;
  if (folded === undefined || alias === undefined) return [];
  const name = folded.isArgs ? `${alias}.input` : alias;
  return [`Nothing is lost: tell the agent to show ${name} again, or read it with /cm show ${alias}.`];
}
