// The parts of the campaign that CI runs beside `npm test`: one part a day, in turn. Each takes at most about a minute
// on two idle cores and fetches nothing that `npm test` has not; the rest is left to `npm run campaign`.

export interface CampaignPart {
  /** The content of its long form that `npm test` lacks. */
  readonly adds: string;
  /** Paths of tests, as Vitest takes them. */
  readonly files: readonly string[];
  /** A pattern of titles, where the long form of all tests in these files takes more than a minute. */
  readonly titles?: string;
}

export const parts: readonly CampaignPart[] = [
  {
    adds: "the second Pi",
    files: ["packages/pi-extension/test/scenarios/notices", "packages/pi-extension/test/events/recorded-events"],
  },
  { adds: "every wire format of Pi", files: ["packages/pi-extension/test/real-pi/harness-itself"] },
  {
    adds: "every wire format, behind another extension",
    files: ["packages/pi-extension/test/provider/changed-behind-us"],
  },
  { adds: "Pi beside extensions with the same names", files: ["packages/pi-extension/test/beside/same-names"] },
  { adds: "Pi beside extensions that change its context", files: ["packages/pi-extension/test/beside/others-context"] },
  { adds: "the commands of a person, in the second Pi", files: ["packages/pi-extension/test/command/in-rpc"] },
  { adds: "outputs above Pi's bounds, in the second Pi", files: ["packages/pi-extension/test/files/long-output"] },
  { adds: "the newest Node under the store", files: ["packages/store-sqlite/test/other-nodes"] },
  { adds: "the newest Node under the command", files: ["packages/cli/test/other-nodes"] },
  { adds: "the newest Node under Pi", files: ["packages/pi-extension/test/node-version/other-nodes"] },
  { adds: "a release with a new version of each package, which the second Pi installs", files: ["tools/release"] },
  {
    adds: "images of the server and of an XTDB node, all of them compiled in clean folders",
    files: ["tools/deploy/server", "tools/deploy/xtdb-node"],
  },
  { adds: "two nodes of XTDB on one Postgres, asked directly", files: ["xtdb/test/launch-postgres"] },
  {
    adds: "a hundred thousand answers to the client of XTDB, and documents from it",
    files: ["packages/xtdb-client/test/mutated-answers", "packages/xtdb-client/test/executable-documents"],
  },
  { adds: "an installation of each package by itself", files: ["tools/adopter"] },
  { adds: "every task of the live runs", files: ["apps/experiments/test/live/scripted-tasks"] },
  {
    adds: "approvals, policies and recovery of governed sessions, on SQLite, on Postgres and on XTDB",
    files: [
      "apps/server/test/governance/governed-sqlite",
      "apps/server/test/governance/governed-postgres",
      "apps/server/test/governance/governed-xtdb",
    ],
  },
  {
    adds: "every rule of runs, conversations and workspaces, on Postgres and on XTDB, with starts by two processes",
    files: [
      "packages/lineage/test/lineage-postgres",
      "packages/lineage/test/lineage-xtdb",
      "packages/workspace/test/workspaces-postgres",
      "packages/workspace/test/workspaces-xtdb",
    ],
    titles: "new runs|runs and conversations|(Workspace|Session|Task): |of 50 starts",
  },
  {
    adds: "starts at once and forks behind a kill, by two servers on Postgres and on XTDB",
    files: ["apps/server/test/servers/postgres", "apps/server/test/servers/xtdb"],
    titles: "simultaneous|fork the run",
  },
  {
    adds: "every law of a store, on Postgres behind PgBouncer and on one that was raised",
    files: ["packages/store-postgres/test/pgbouncer", "packages/store-postgres/test/raised-store"],
  },
  {
    adds: "a standby of Postgres that takes over from a machine that is gone, and one that is opened for reading",
    files: ["packages/store-postgres/test/failover"],
    titles: "machine that is gone|for hints|waits for its standby|opened on a standby",
  },
  {
    adds: "every law of a store, by the clock of a node of XTDB",
    files: ["packages/store-xtdb/test/node-clock.conformance"],
  },
  {
    adds: "commits and reads as large as they may be, on every store",
    files: [
      "packages/store-xtdb/test/object-store.conformance",
      "packages/testkit/test/model-store.conformance",
      "packages/write-behind/test/object-store.conformance",
      "packages/store-sqlite/test/thread/threaded-store.conformance",
    ],
    titles: "OS-12\\d",
  },
  {
    adds: "figures of sessions that are compacted, or without their database, in both Pis",
    files: ["packages/pi-extension/test/figures/side-by-side"],
    titles: "compacted, then closed|at the start$",
  },
  {
    adds: "compactions by a person, a session's file after going back, and a database of a newer version, in both Pis",
    files: [
      "packages/pi-extension/test/compaction/compacted-by-person",
      "packages/pi-extension/test/sessions/exported-file",
      "packages/pi-extension/test/outages/mended",
    ],
  },
  {
    adds: "sessions that always begin switched off, outputs of millions of characters, and what passes over each wire format",
    files: [
      "packages/pi-extension/test/sessions/stays-off",
      "packages/pi-extension/test/scenarios/print",
      "packages/pi-extension/test/formats/formats",
      "packages/pi-extension/test/formats/shortened-arguments",
    ],
  },
  {
    adds: "who knows the future of further sessions, and two processes that share a file beside four",
    files: ["packages/replay/test/policies/clairvoyant", "packages/store-sqlite/test/processes"],
  },
  {
    adds: "an end of its input and SIGINT, each in the middle of a query to a node of XTDB",
    files: ["xtdb/test/door-hang-up"],
    titles: "stops cleanly",
  },
  {
    adds: "figures on a busy machine, in both Pis",
    files: ["packages/pi-extension/test/figures/side-by-side"],
    titles: "busy machine",
  },
];

/** The part of a day, by the day of the year in UTC: the same all day, and each in its turn. */
export function partOf(date: Date): CampaignPart {
  const first = Date.UTC(date.getUTCFullYear(), 0, 1);
  const today = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  const part = parts[((today - first) / 86_400_000) % parts.length];
  if (part === undefined) throw new Error("There is no part of the campaign.");
  return part;
}
