import { runContextTool } from "@cm/context-tool";
import { CmError } from "@cm/object-model";
import { whyParts } from "@cm/render";
import type { Managed } from "../managed/managed.ts";
import { runDoctor } from "./doctor/doctor.ts";
import { foldNow } from "./fold-now.ts";
import { historyReport, showReport } from "./object-report.ts";
import { objectsReport } from "./objects-report.ts";
import { protect, unprotect } from "./protect-command.ts";
import { namedObject, requireManaged } from "./require-managed.ts";
import { statusReport } from "./status-report.ts";
import type { Subcommand } from "./subcommand.ts";
import { switchCommands } from "./switch-commands.ts";
import { titled } from "./titled.ts";
import { whyReport } from "./why/why-report.ts";

const pinning = (action: "pin" | "unpin", description: string): Subcommand => ({
  name: action,
  argument: "ID",
  takesObject: true,
  description,
  async run(host, argument, cwd) {
    const id = namedObject(argument, `/cm ${action} ID`);
    const managed = requireManaged(host);
    const { text, failed } = await runContextTool(managed, { action, id }, { cwd });
    if (failed) throw new CmError("pi/not-found", text);
    return action === "pin" ? `${text}${await nothingYet(managed, id)}` : text;
  },
});

/** A pin brings nothing in: what was not read, or is folded, is not there to be kept. */
async function nothingYet(managed: Managed, id: string): Promise<string> {
  const object = await managed.show(id);
  if (object === undefined || managed.steering === undefined) return "";
  const { view } = await managed.inside();
  const stands = whyParts(view, object.id, managed.steering.options).some(
    ({ isArgs, reason }) => !isArgs && reason.why !== "folded",
  );
  return stands ? "" : " Nothing of it stands there now; what the agent reads of it from now on stays.";
}

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
    description: "what fills the context, what was saved, the database",
    run: statusReport,
  },
  {
    name: "objects",
    argument: "[FILTER]",
    description: "files and outputs, by files, pinned, tool:bash or src/",
    run: objectsReport,
  },
  {
    name: "show",
    argument: "ID",
    takesObject: true,
    description: "an object's text as it is now",
    run: async (host, argument, cwd) => showReport(requireManaged(host), namedObject(argument, "/cm show ID"), cwd),
  },
  {
    name: "history",
    argument: "ID",
    takesObject: true,
    description: "its versions, newest first",
    run: async (host, argument) => historyReport(requireManaged(host), namedObject(argument, "/cm history ID")),
  },
  {
    name: "why",
    argument: "ID",
    takesObject: true,
    description: "why its text stands or is folded, and how it comes back",
    run: async (host, argument, cwd) => whyReport(host, namedObject(argument, "/cm why ID"), cwd),
  },
  { name: "fold", description: "fold now all that may be folded", run: foldNow },
  {
    name: "protect",
    argument: "[PATTERN]",
    description: "keep in full: *.md, tool:bash, prompts:3; alone: list",
    run: protect,
  },
  { name: "unprotect", argument: "PATTERN", description: "let it be folded again", run: unprotect },
  pinning("pin", "keep its text in the context"),
  pinning("unpin", "let it be folded again"),
  ...switchCommands,
  {
    name: "doctor",
    argument: "[fix]",
    description: "check all, say how to leave; fix: mend what can be",
    run: runDoctor,
  },
  help,
];
