import { momentText } from "@cm/terminal-text";
import { Command } from "commander";
import type { CommandRun } from "../command-line.ts";
import { findObject } from "../objects/find-object.ts";
import { type NumberedVersion, numberedVersions, textFacts, versionValue } from "../objects/versions.ts";
import { shortHash } from "../output/short-hash.ts";

const columns = [
  { title: "version", align: "right" },
  { title: "holds from" },
  { title: "written" },
  { title: "hash" },
  { title: "chars", align: "right" },
  { title: "note", shrinks: true },
] as const;

export function historyCommand(run: CommandRun): Command {
  const command = new Command("history")
    .description("the versions of an object, newest first")
    .argument("<path|id>", "a file's path or the end of one, an object's id, or an alias with --session")
    .option("--session <session>", "the session whose aliases and paths are meant");
  return command.action((text: string, options: { session?: string }) =>
    run.run(command, async ({ output, open, world }) => {
      const store = await open();
      const id = await findObject(store, text, { session: options.session, cwd: world.cwd });
      const versions = await numberedVersions(store, id, { documents: true });
      if (output.json) {
        for (const version of versions) await output.value({ id, ...versionValue(version) });
        return undefined;
      }
      await output.table(columns, versions.map(versionRow));
      return undefined;
    }),
  );
}

function versionRow(numbered: NumberedVersion): readonly string[] {
  const { number, version } = numbered;
  const { chars } = textFacts(version);
  return [
    `${number}`,
    momentText(version.validTime),
    momentText(version.transactionTime),
    shortHash(version.contentHash),
    chars === null ? "" : `${chars}`,
    noteText(numbered),
  ];
}

function noteText({ version }: NumberedVersion): string {
  const { erased } = version;
  if (erased !== undefined) return `erased ${momentText(erased.at)}: ${erased.reason}`;
  return textFacts(version).textless ?? "";
}
