import { readFileSync } from "node:fs";
import { Command, type CommanderError } from "commander";
import type { CommandRun } from "./command-line.ts";
import { approveCommand } from "./commands/approve.ts";
import { atCommand } from "./commands/at.ts";
import { auditCommand } from "./commands/audit.ts";
import { compactCommand } from "./commands/compact.ts";
import { completionCommand } from "./commands/completion.ts";
import { conversationsCommand } from "./commands/conversations.ts";
import { copyCommand } from "./commands/copy.ts";
import { diffCommand } from "./commands/diff.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { eraseCommand } from "./commands/erase.ts";
import { exportCommand } from "./commands/export.ts";
import { filesCommand } from "./commands/files.ts";
import { forkCommand } from "./commands/fork.ts";
import { historyCommand } from "./commands/history.ts";
import { importCommand } from "./commands/import.ts";
import { purgeCommand } from "./commands/purge.ts";
import { reportCommand } from "./commands/report.ts";
import { requestsCommand } from "./commands/requests.ts";
import { runsCommand } from "./commands/runs.ts";
import { sessionsCommand } from "./commands/sessions.ts";
import { showCommand } from "./commands/show.ts";
import { treeCommand } from "./commands/tree.ts";
import { upgradeCommand } from "./commands/upgrade.ts";
import { verifyCommand } from "./commands/verify.ts";
import { whyCommand } from "./commands/why.ts";
import { workspacesCommand } from "./commands/workspaces.ts";

const commands = [
  sessionsCommand,
  showCommand,
  filesCommand,
  historyCommand,
  diffCommand,
  atCommand,
  requestsCommand,
  whyCommand,
  conversationsCommand,
  runsCommand,
  treeCommand,
  workspacesCommand,
  auditCommand,
  approveCommand,
  purgeCommand,
  exportCommand,
  importCommand,
  forkCommand,
  eraseCommand,
  verifyCommand,
  doctorCommand,
  compactCommand,
  copyCommand,
  upgradeCommand,
  reportCommand,
  completionCommand,
];

/** The command line: what it understands, bound to a run. */
export function createProgram(run: CommandRun): Command {
  const { stdout, stderr } = run.world;
  const program = new Command("cm")
    .description("Looks at Context Manager sessions: their objects, history and past prompts, and the runs of servers.")
    .version(version(), "-V, --version")
    .option(
      "--store <file|url>",
      "a SQLite file, or the URL of a Postgres or of an XTDB node (see Environment in the README)",
    )
    .option("--namespace <name>", "the part of a Postgres (a schema) or an XTDB node that is meant")
    .option("--json", "JSON for programs, one value a line")
    .configureHelp({ showGlobalOptions: true });
  for (const create of commands) program.addCommand(create(run));
  program.helpCommand(false).addCommand(helpCommand(program));
  for (const command of [program, ...program.commands]) {
    const refused = (error: CommanderError): never => {
      run.refused = command === program ? undefined : command.name();
      throw error;
    };
    command.exitOverride(refused).configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // Told by `runCm`, which knows whether a program is listening.
      outputError: () => {},
    });
    if (command !== program) command.configureHelp({ showGlobalOptions: true });
  }
  return program;
}

/** Commander's own shows the help of `cm` for a name that is no command, as if none had been given. */
function helpCommand(program: Command): Command {
  const command = new Command("help").description("display help for a command").argument("[command]");
  return command.action((name: string | undefined) => {
    const named = name === undefined ? program : program.commands.find((known) => known.name() === name);
    if (named === undefined) program.error(`unknown command '${name}'`, { code: "commander.unknownCommand" });
    named.outputHelp();
  });
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return String(manifest.version);
}
