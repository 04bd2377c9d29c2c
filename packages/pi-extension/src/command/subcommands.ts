import { CmError } from "@cm/object-model";
import { runContextTool } from "@cm/render";
import { runDoctor } from "./doctor/doctor.ts";
import { managedOf, namedObject } from "./managed-of.ts";
import { historyReport, showReport } from "./object-report.ts";
import { objectsReport } from "./objects-report.ts";
import { statusReport } from "./status-report.ts";
import type { Subcommand } from "./subcommand.ts";
import { switchCommands } from "./switch-commands.ts";
import { titled } from "./titled.ts";

const pinning = (action: "pin" | "unpin", description: string): Subcommand => ({
  name: action,
  argument: "ID",
  takesObject: true,
  description,
  async run(host, argument, cwd) {
    const id = namedObject(argument, `/cm ${action} ID`);
    const { text, failed } = await runContextTool(managedOf(host), { action, id }, { cwd });
    if (failed) throw new CmError("pi/not-found", text);
    return text;
  },
});

const help: Subcommand = {
  name: "help",
  description: "this list",
  run: async () =>
    titled(
      subcommands.map(({ name, argument, description }) => [
        ["/cm", name, ...(argument === undefined ? [] : [argument])].join(" "),
        description,
      ]),
    ),
};

/** Every word that `/cm` knows, in the order of the help. */
export const subcommands: readonly Subcommand[] = [
  {
    name: "status",
    description: "context now, what was saved and billed, state and place of the store",
    run: statusReport,
  },
  {
    name: "objects",
    argument: "[FILTER]",
    description: "files and tool outputs this session met: files, calls, active, pinned, tool:bash, text:word, a path",
    run: objectsReport,
  },
  {
    name: "show",
    argument: "ID",
    takesObject: true,
    description: "an object's text as it is now",
    run: async (host, argument, cwd) => showReport(managedOf(host), namedObject(argument, "/cm show ID"), cwd),
  },
  {
    name: "history",
    argument: "ID",
    takesObject: true,
    description: "its versions, newest first",
    run: async (host, argument) => historyReport(managedOf(host), namedObject(argument, "/cm history ID")),
  },
  pinning("pin", "keep its text in the context"),
  pinning("unpin", "let it be folded again"),
  ...switchCommands,
  {
    name: "doctor",
    argument: "[fix]",
    description: "check versions, store, files and settings, and say how to leave; fix: mend what loses nothing",
    run: runDoctor,
  },
  help,
];
