import { type Finding, isDamage, verifyStore } from "@cm/session/verify";
import { counted, visibleLine } from "@cm/terminal-text";
import { Command } from "commander";
import type { CommandRun } from "../command-line.ts";
import { exitCodes } from "../errors.ts";
import { limits } from "../limits.ts";
import { storeTypes } from "../store/open-store.ts";

export function verifyCommand(run: CommandRun): Command {
  const command = new Command("verify").description("check every hash and every session of the store");
  return command.action(() =>
    run.run(command, async ({ output, open }) => {
      const store = await open();
      let checked = 0;
      let damaged = 0;
      let erased = 0;
      let unfinished = 0;
      let replaced = 0;
      const onProgress = (progress: { readonly checked: number }) => {
        checked = progress.checked;
        output.progress(`${counted(checked, "object")} checked`);
      };
      for await (const finding of verifyStore(store, { types: storeTypes, onProgress })) {
        const { problem } = finding;
        if (isDamage(finding)) damaged += 1;
        else if (problem === "unfinished") unfinished += 1;
        else if (finding.type === "step") replaced += 1;
        else erased += 1;
        const color = isDamage(finding) ? "red" : "yellow";
        if (output.json) await output.value({ kind: "finding", damage: isDamage(finding), ...finding });
        else if (problem !== "erased") await output.line(findingLine(finding, output.paint(color, problem)));
      }
      const counts = { checked, damaged, erased, replaced, unfinished };
      if (output.json) await output.value({ kind: "summary", ...counts });
      else output.note(summaryLine(counts));
      return exitCode(counts);
    }),
  );
}

type Counts = Readonly<Record<"checked" | "damaged" | "erased" | "replaced" | "unfinished", number>>;

function exitCode({ checked, damaged, unfinished }: Counts): number {
  // An empty store is no answer to a verification.
  if (damaged > 0 || checked === 0) return exitCodes.found;
  return unfinished > 0 ? exitCodes.unfinished : exitCodes.ok;
}

function findingLine({ id, detail }: Finding, problem: string): string {
  return `${problem}  ${visibleLine(id, limits.fieldCharsMax)}  ${visibleLine(detail, limits.fieldCharsMax)}`;
}

function summaryLine({ checked, damaged, erased, replaced, unfinished }: Counts): string {
  const erasures =
    erased === 0 ? "" : ` ${counted(erased, "object")} that others name ${erased === 1 ? "was" : "were"} erased.`;
  const texts = replaced === 0 ? "" : ` What was typed in ${counted(replaced, "step")} was erased.`;
  if (checked === 0 && damaged === 0) return "The store holds no objects: nothing was checked.";
  const sound = unfinished === 0 ? "all is as it was written" : "nothing is damaged; repeat what was not finished";
  const result = damaged === 0 ? sound : `${counted(damaged, "finding")}; restore them from a copy`;
  return `${counted(checked, "object")} checked: ${result}.${erasures}${texts}`;
}
