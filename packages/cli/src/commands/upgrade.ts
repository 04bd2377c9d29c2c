import { shownStore } from "@cm/store-place";
import { visibleLine } from "@cm/terminal-text";
import { Command } from "commander";
import type { CommandRun } from "../command-line.ts";
import { cliError } from "../errors.ts";
import { limits } from "../limits.ts";

export function upgradeCommand(run: CommandRun): Command {
  const command = new Command("upgrade").description(
    "bring a SQLite file or a Postgres store to the schema of this version, and make the latter where it is missing",
  );
  return command.action(() =>
    run.run(command, async ({ output, open, choice }) => {
      if (choice.kind === "xtdb") throw cliError("cli/usage", "An XTDB node has no schema of ours to upgrade.");
      // Opening a file for writing migrates, and so does making a store: all of it, or nothing.
      await open(choice.kind === "postgres" ? "create" : "write");
      if (output.json) await output.value({ store: shownStore(choice), upgraded: true });
      else
        await output.line(`${visibleLine(shownStore(choice), limits.fieldCharsMax)} has the schema of this version.`);
      return undefined;
    }),
  );
}
