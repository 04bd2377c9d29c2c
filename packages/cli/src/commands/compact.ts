import { shownStore } from "@cm/store-place";
import { compactSqliteStore } from "@cm/store-sqlite";
import { bytesText, visibleLine } from "@cm/terminal-text";
import { Command } from "commander";
import type { CommandRun } from "../command-line.ts";
import { cliError } from "../errors.ts";
import { limits } from "../limits.ts";

export function compactCommand(run: CommandRun): Command {
  const command = new Command("compact").description(
    "give back what a SQLite file no longer uses, erased text with it",
  );
  return command.action(() =>
    run.run(command, async ({ output, open, choice }) => {
      if (choice.kind === "postgres") {
        throw cliError(
          "cli/usage",
          "Postgres gives back what it no longer uses by itself; VACUUM FULL does it at once.",
        );
      }
      if (choice.kind !== "sqlite") {
        throw cliError("cli/usage", "An XTDB node is compacted where it runs, when it is stopped: see its README.");
      }
      // Says in its own words what is wrong with the file, before anything is touched.
      await (await open("write")).close();
      const { bytesBefore, bytesAfter } = compactSqliteStore({ path: choice.path });
      if (output.json) await output.value({ store: shownStore(choice), bytesBefore, bytesAfter });
      else
        await output.line(
          `${visibleLine(shownStore(choice), limits.fieldCharsMax)}: ${bytesText(bytesBefore)} before, ${bytesText(bytesAfter)} now.`,
        );
      return undefined;
    }),
  );
}
