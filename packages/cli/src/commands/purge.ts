import { counted, countText, momentText } from "@cm/terminal-text";
import { openWorkspaces, type PurgedWorkspace } from "@cm/workspace";
import { Command } from "commander";
import type { CommandRun } from "../command-line.ts";
import { cliError } from "../errors.ts";
import { askYesNo } from "../output/ask.ts";

const columns = [
  { title: "workspace", shrinks: true },
  { title: "sessions", align: "right" },
  { title: "records", align: "right" },
  { title: "last activity" },
] as const;

interface PurgeOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly days: number;
  readonly auditDays?: number;
}

export function purgeCommand(run: CommandRun): Command {
  const command = new Command("purge")
    .description("delete workspaces without activity for 90 days, for good; never a file of a project, nor the audit")
    .option("--dry-run", "only say what would go")
    .option("--days <number>", "of silence", wholeDays, 90)
    .option(
      "--audit-days <number>",
      "in place of workspaces: events and approvals of the audit that are older",
      wholeDays,
    )
    .option("-y, --yes", "do not ask");
  return command.action((options: PurgeOptions) =>
    run.run(command, async ({ output, open }) => {
      const { dryRun = false, yes = false, days, auditDays } = options;
      const records = await open(dryRun ? "read" : "write");
      const workspaces = openWorkspaces({ records, now: run.world.now });
      if (auditDays !== undefined) {
        const would = await workspaces.expireAudit({ olderThanDays: auditDays });
        if (!output.json) output.note(auditSentence(would, auditDays));
        if (!dryRun && would > 0) {
          if (!yes && !(await askYesNo(run.world, `Take ${would} for good?`)))
            throw cliError("cli/declined", "Nothing was taken.");
          await workspaces.expireAudit({ olderThanDays: auditDays, dryRun: false });
          if (!output.json) output.note(`${would} taken.`);
        }
        if (output.json) await output.value({ auditRecords: would, olderThanDays: auditDays, dryRun });
        return undefined;
      }
      const would = await workspaces.purge({ inactiveDays: days });
      if (output.json && dryRun) for (const each of would) await output.value(purgedValue(each, true));
      else if (would.length === 0) output.note(`No workspace was silent for ${counted(days, "day")}.`);
      else if (!output.json) await output.table(columns, would.map(purgedRow));
      if (dryRun && would.length > 0 && !output.json)
        output.note(`${counted(would.length, "workspace")} would be deleted, without --dry-run; nothing was.`);
      if (dryRun || would.length === 0) return undefined;
      if (!yes && !(await askYesNo(run.world, `Take ${would.length} for good, in every version?`)))
        throw cliError("cli/declined", "Nothing was taken.");
      const purged = await workspaces.purge({ inactiveDays: days, dryRun: false });
      if (output.json) for (const each of purged) await output.value(purgedValue(each, false));
      else output.note(`${purged.length} taken.`);
      return undefined;
    }),
  );
}

const auditSentence = (records: number, days: number): string =>
  records === 0
    ? `Nothing in the audit is older than ${counted(days, "day")}.`
    : `${countText(records)} events and approvals of the audit are older than ${counted(days, "day")}.`;

const purgedRow = ({ workspaceId, sessions, objects, lastActiveAt }: PurgedWorkspace): readonly string[] => [
  workspaceId,
  `${sessions.length}`,
  countText(objects),
  momentText(lastActiveAt),
];

const purgedValue = (
  { workspaceId, sessions, objects, lastActiveAt, toolCalls }: PurgedWorkspace,
  dryRun: boolean,
) => ({
  ...{ workspace: workspaceId, sessions, records: objects, toolCallsThatStay: toolCalls.length, dryRun },
  lastActiveAt: new Date(lastActiveAt).toISOString(),
});

function wholeDays(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw cliError("cli/usage", "Give a whole number of days, 1 or more.");
}
