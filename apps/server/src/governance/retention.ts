import type { ApprovalClock } from "@cm/governance";
import type { Workspaces } from "@cm/workspace";

/** For how long a server keeps what its sessions leave behind, in days. */
export interface Retention {
  /** Events and approvals; `null`: for ever. Default: a year. */
  readonly auditDays?: number | null | undefined;
  /** Workspaces without activity, with their sessions, histories and artifacts. Default: until `cm purge`. */
  readonly inactiveDays?: number | undefined;
}

export interface RetentionParts {
  readonly workspaces: Pick<Workspaces, "expireAudit" | "purge">;
  readonly clock: ApprovalClock;
  readonly log: (fields: Readonly<Record<string, unknown>>) => void;
  readonly fault: (what: string, error: unknown) => void;
}

const dayMs = 86_400_000;

/** Takes for good whose time is over, at once and then once a day. Nothing waits for it; the result ends it. */
export function keepFor({ auditDays, inactiveDays }: Retention, { workspaces, clock, log, fault }: RetentionParts) {
  let stop = () => {};
  let isOver = false;
  const attempted = async (message: string, take: () => Promise<number>) => {
    try {
      const taken = await take();
      if (taken > 0) log({ level: "info", message, taken });
    } catch (error) {
      // A store that was closed meanwhile is no fault: the next start begins again.
      if (!isOver) fault("What is kept too long could not be taken; it is tried again tomorrow.", error);
    }
  };
  const run = async () => {
    stop = clock.after(dayMs, () => void run());
    const older = auditDays === undefined || auditDays === null ? {} : { olderThanDays: auditDays };
    if (auditDays !== null)
      await attempted("Events and approvals whose time is over were taken out of the audit.", () =>
        workspaces.expireAudit({ dryRun: false, ...older }),
      );
    if (inactiveDays !== undefined)
      await attempted("Workspaces without activity were purged.", async () => {
        const purged = await workspaces.purge({ dryRun: false, inactiveDays });
        return purged.length;
      });
  };
  void run();
  return () => {
    isOver = true;
    stop();
  };
}
