import type { ObjectStore } from "@cm/object-model";
import { listSessions, type SessionSummary } from "@cm/session";
import { unfinishedImports } from "@cm/session/verify";
import { counted, momentText } from "@cm/terminal-text";
import { limits } from "../limits.ts";
import { checkClock, type Dated } from "./check-clock.ts";
import { type CheckLine, fail, ok, warn } from "./check-line.ts";

/** Heads, leases and times of the store's sessions. */
export async function checkSessions(
  store: ObjectStore,
  { now, newestTransactionTime }: { readonly now: number } & Pick<Dated, "newestTransactionTime">,
): Promise<readonly CheckLine[]> {
  const sessions: SessionSummary[] = [];
  for await (const summary of listSessions(store)) {
    sessions.push(summary);
    if (sessions.length >= limits.doctorSessionsMax) break;
  }
  const damaged = sessions.filter(({ status }) => status === "damaged");
  return [
    ok("sessions", counted(sessions.length, "session")),
    ...damaged.map(({ session }) =>
      fail("sessions", `${session} cannot be read`, "Run cm verify; it names what is damaged."),
    ),
    ...(await checkImports(store)),
    ...checkLeases(sessions, now),
    checkClock({ sessions, newestTransactionTime }, now),
  ];
}

async function checkImports(store: ObjectStore): Promise<readonly CheckLine[]> {
  const lines: CheckLine[] = [];
  for await (const session of unfinishedImports(store)) {
    const next = "Nothing is damaged. Run cm import with the same file again; it goes on where it was cut.";
    lines.push(warn("import", `An import of session ${session} was not finished`, next));
    if (lines.length >= limits.doctorSessionsMax) break;
  }
  return lines;
}

/** One line for those that are written, one for those that were left: by name where it is one, else how many. */
function checkLeases(sessions: readonly SessionSummary[], now: number): readonly CheckLine[] {
  const active = sessions.flatMap(({ session, status, lease }) =>
    lease === undefined || status !== "active" ? [] : [{ session, ...lease }],
  );
  const written = active.filter(({ expiresAtMs }) => expiresAtMs > now);
  const left = active.filter(({ expiresAtMs }) => expiresAtMs <= now);
  return [
    ...saidOfAll(written, {
      one: ({ session, owner, expiresAtMs }) =>
        ok("lease", `${session} is written by ${owner} until ${momentText(expiresAtMs)}`),
      many: (text) => ok("lease", `${text} are being written`),
    }),
    ...saidOfAll(left, {
      one: ({ session, owner, expiresAtMs }) =>
        warn(
          "lease",
          `${session} was left by ${owner} without being paused; its lease ended ${momentText(expiresAtMs)}`,
          "Nothing is lost; resume it where you want to go on.",
        ),
      many: (text, first) =>
        warn(
          "lease",
          `${text} were left without being paused, ${first} among them`,
          "Nothing is lost; cm sessions names them. Resume each where you want to go on.",
        ),
    }),
  ];
}

interface HeldLease {
  readonly session: string;
  readonly owner: string;
  readonly expiresAtMs: number;
}

function saidOfAll(
  leases: readonly HeldLease[],
  say: { readonly one: (lease: HeldLease) => CheckLine; readonly many: (count: string, first: string) => CheckLine },
): readonly CheckLine[] {
  const [first] = leases;
  if (first === undefined) return [];
  return [leases.length === 1 ? say.one(first) : say.many(counted(leases.length, "session"), first.session)];
}
