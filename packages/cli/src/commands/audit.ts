import type { GovernedEvent } from "@cm/governance";
import { isoText, momentText, visibleLine } from "@cm/terminal-text";
import { openWorkspaces } from "@cm/workspace";
import { Command } from "commander";
import type { CommandRun } from "../command-line.ts";
import { cliError } from "../errors.ts";
import { limits } from "../limits.ts";
import { allOf } from "../objects/pages.ts";

const columns = [
  { title: "when" },
  { title: "what" },
  { title: "task" },
  { title: "step" },
  { title: "of it", shrinks: true },
] as const;

export function auditCommand(run: CommandRun): Command {
  const command = new Command("audit")
    .description("tell what happened in a governed session, in order: who allowed what, and what it cost")
    .argument("<session>", "the session: a conversation of a server with a policy")
    .option("--from <time>", "only from this moment on (ISO 8601)", momentOf)
    .option("--to <time>", "only before this moment", momentOf);
  return command.action((session: string, { from, to }: { readonly from?: number; readonly to?: number }) =>
    run.run(command, async ({ output, open }) => {
      const { audit } = openWorkspaces({ records: await open() });
      const bounds = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
      const newest = await allOf(async (page) => {
        const { events, next } = await audit.bySession(session, { ...page, ...bounds });
        return { rows: events, next };
      });
      const events = [...newest].reverse();
      if (events.length === 0 && from === undefined && to === undefined)
        throw cliError(
          "cli/not-found",
          `There is no record of a session ${session}; \`cm workspaces --json\` names those there are.`,
          { session },
        );
      if (output.json) for (const event of events) await output.value(event);
      else if (events.length === 0) output.note("Nothing happened in that time.");
      else {
        const taskName = shortNames(events.flatMap(({ taskId }) => taskId ?? []));
        await output.table(
          columns,
          events.map((event) => eventRow(event, taskName)),
        );
      }
      return undefined;
    }),
  );
}

const nameCharsMin = 8;

/** The starts of ids, as long as it takes to tell them apart: what is said of a task has room beside it. */
function shortNames(ids: readonly string[]): (id: string) => string {
  const all = [...new Set(ids)];
  let chars = nameCharsMin;
  while (new Set(all.map((id) => id.slice(0, chars))).size < all.length) chars += 1;
  return (id) => id.slice(0, chars);
}

const eventRow = (
  { timestamp, eventType, taskId, stepId, payload }: GovernedEvent,
  taskName: (id: string) => string,
): readonly string[] => [
  momentText(Date.parse(timestamp)),
  eventType.replaceAll("_", " "),
  taskId === null ? "" : taskName(taskId),
  (stepId ?? "").replace(/^step-/, ""),
  aboutOf(payload),
];

/** What of an event fits into a line; `--json` has all of it. */
function aboutOf(payload: GovernedEvent["payload"]): string {
  const said = Object.entries(payload).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : shownValue(name, value)}`,
  );
  return visibleLine(said.join(" "), limits.auditLineCharsMax);
}

/** Moments are numbers in events. */
const shownValue = (name: string, value: unknown): string =>
  typeof value === "number" && name.endsWith("At") ? isoText(value) : JSON.stringify(value);

function momentOf(text: string): number {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw cliError("cli/usage", "Give a moment as 2026-11-24T10:00:00Z.");
  return at;
}
