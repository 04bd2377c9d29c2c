import { listSessions, type SessionSummary } from "@cm/session";
import { isoText, momentText } from "@cm/terminal-text";
import { Command } from "commander";
import type { CommandRun } from "../command-line.ts";

const columns = [
  { title: "session", shrinks: true },
  { title: "status" },
  { title: "steps", align: "right" },
  { title: "objects", align: "right" },
  { title: "last activity" },
  { title: "writer", shrinks: true },
  { title: "forked from", shrinks: true },
] as const;

export function sessionsCommand(run: CommandRun): Command {
  const command = new Command("sessions").description("list the sessions of the store");
  return command.action(() =>
    run.run(command, async ({ output, open, world }) => {
      const listed: SessionSummary[] = [];
      for await (const summary of listSessions(await open())) {
        if (output.json) await output.value(sessionValue(summary, world.now()));
        else listed.push(summary);
      }
      if (output.json) return undefined;
      if (listed.length === 0) {
        output.note("There is no session in this store yet.");
        return undefined;
      }
      const newestFirst = listed.sort((a, b) => (b.recordedAtMs ?? 0) - (a.recordedAtMs ?? 0));
      await output.table(
        columns,
        newestFirst.map((summary) => sessionRow(summary, world.now())),
      );
      return undefined;
    }),
  );
}

function sessionRow(summary: SessionSummary, now: number): readonly string[] {
  const { session, status, steps, counts, recordedAtMs, forkedFrom } = summary;
  return [
    session,
    status,
    `${steps}`,
    `${counts.index}`,
    momentText(recordedAtMs),
    writerText(summary, now),
    forkedFrom === undefined ? "" : `${forkedFrom.session}@${forkedFrom.n}`,
  ];
}

/** The writer of the session; an expired lease was not released, so its owner may have died. */
export function writerText({ lease, status }: Pick<SessionSummary, "lease" | "status">, now: number): string {
  if (lease === undefined) return "";
  if (lease.expiresAtMs > now) return lease.owner;
  return status === "active" ? `${lease.owner} (expired)` : "";
}

/** One session as programs get it. `session` stands first: shell completion counts on it. */
export function sessionValue(summary: SessionSummary, now: number) {
  const { session, status, steps, turns, toolcalls, counts, recordedAtMs, lease, forkedFrom, head } = summary;
  return {
    session,
    status,
    steps,
    turns,
    toolcalls,
    objects: counts,
    head,
    lastActivity: recordedAtMs === undefined ? null : isoText(recordedAtMs),
    writer:
      lease === undefined
        ? null
        : {
            owner: lease.owner,
            acquiredAt: isoText(lease.acquiredAtMs),
            expiresAt: isoText(lease.expiresAtMs),
            expired: lease.expiresAtMs <= now,
          },
    forkedFrom: forkedFrom ?? null,
  };
}
