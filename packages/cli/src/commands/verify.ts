import { type Finding, isDamage, verifyStore } from "@cm/session";
import { Command } from "commander";
import type { CommandRun } from "../command-line.ts";
import { exitCodes } from "../errors.ts";
import { limits } from "../limits.ts";
import { counted } from "../output/figures.ts";
import { visibleLine } from "../output/visible-text.ts";

export function verifyCommand(run: CommandRun): Command {
  const command = new Command("verify").description("check every hash and every session of the store");
  return command.action(() =>
    run.run(command, async ({ output, open }) => {
      const store = await open();
      let checked = 0;
      let damaged = 0;
      let erased = 0;
      let unfinished = 0;
      const onProgress = (progress: { readonly checked: number }) => {
        checked = progress.checked;
        output.progress(`${counted(checked, "object")} checked`);
      };
      for await (const finding of verifyStore(store, { onProgress })) {
        if (isDamage(finding)) damaged += 1;
        else if (finding.problem === "unfinished") unfinished += 1;
        else erased += 1;
        if (output.json) await output.value({ kind: "finding", damage: isDamage(finding), ...finding });
        else if (finding.problem !== "erased")
          await output.line(findingLine(finding, output.paint("red", finding.problem)));
      }
      if (output.json) await output.value({ kind: "summary", checked, damaged, erased });
      else output.note(summaryLine({ checked, damaged, erased }));
      // Who asks whether all is well is not served by "nothing is there".
      return damaged + unfinished === 0 && checked > 0 ? exitCodes.ok : exitCodes.found;
    }),
  );
}

function findingLine({ id, detail }: Finding, problem: string): string {
  return `${problem}  ${visibleLine(id, limits.fieldCharsMax)}  ${visibleLine(detail, limits.fieldCharsMax)}`;
}

function summaryLine({ checked, damaged, erased }: Record<"checked" | "damaged" | "erased", number>): string {
  const erasures =
    erased === 0 ? "" : ` ${counted(erased, "object")} that others name ${erased === 1 ? "was" : "were"} erased.`;
  if (checked === 0 && damaged === 0) return "The store holds no objects: nothing was checked.";
  const result =
    damaged === 0 ? "all is as it was written" : `${counted(damaged, "finding")}; restore them from a copy`;
  return `${counted(checked, "object")} checked: ${result}.${erasures}`;
}
