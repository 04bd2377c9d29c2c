import type { EraseReceipt } from "@cm/object-model";
import { parseStepId } from "@cm/session";
import { counted, isoText, momentText, visibleLine } from "@cm/terminal-text";
import type { Task } from "../command-line.ts";
import { limits } from "../limits.ts";

/** Says what an erasure took. */
export async function printReceipt(
  { output }: Task,
  { erased, shared, unknown, at, basis }: EraseReceipt,
): Promise<void> {
  if (output.json) {
    await output.value({ erased, shared, unknown, at: isoText(at), basis });
    return;
  }
  const line = (text: string) => output.line(`  ${visibleLine(text, limits.fieldCharsMax)}`);
  const steps = erased.filter((id) => parseStepId(id) !== undefined);
  const heads = steps.length === 0 ? [] : erased.filter((id) => id.startsWith("session:"));
  const objects = erased.filter((id) => !steps.includes(id) && !heads.includes(id));
  if (steps.length > 0) {
    await output.line(`Erased what was typed in ${counted(steps.length, "step")} at ${momentText(at)}:`);
    for (const id of steps) await line(stepName(id));
    output.note("The steps stay without their texts: their sessions can be opened, forked and exported as before.");
  }
  if (heads.length > 0) await output.line("It was also taken from what the session kept while it was paused.");
  if (erased.length + shared.length === 0) {
    await output.line("Nothing was left to erase: what was named had been erased before.");
    return;
  }
  if (objects.length > 0) await output.line(`Erased ${counted(objects.length, "object")} at ${momentText(at)}:`);
  for (const id of objects) await line(id);
  if (shared.length > 0)
    await output.line("These lost versions, too, because they held the same text or were attached:");
  for (const id of shared) await line(id);
  output.note(
    "Copies and backups of the store, exported bundles, and quotes of the text in other objects are not touched: " +
      "they are yours to look for. `cm compact` takes what is left in unused parts of the file.",
  );
}

function stepName(id: string): string {
  const { session, n } = parseStepId(id) ?? { session: id, n: 0 };
  return `${session}@${n}`;
}
