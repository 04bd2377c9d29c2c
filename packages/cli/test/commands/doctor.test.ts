// @module-tag process
// Verifies: SSOT 3.7, F14, T9: what `cm doctor` finds, and what it says to do about it.
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { openSqliteStore } from "@cm/store-sqlite";
import { describe, expect, it } from "vitest";
import { checkNode } from "../../src/doctor/check-node.ts";
import { inProcess, type TerminalOptions } from "../support/in-process.ts";
import { jsonLines } from "../support/run-cm.ts";
import { sampleFolder } from "../support/sample-file.ts";
import { leaveSession } from "../support/sample-store.ts";
import { check } from "../support/shapes.ts";

const sample = sampleFolder();
const doctor = async (options: TerminalOptions = {}, store = sample.store) => {
  const { status, stdout } = await inProcess(["--store", store, "--json", "doctor"], options);
  return { status, checks: jsonLines(stdout).map((line) => check.parse(line)) };
};
const about = async (name: string, options: TerminalOptions = {}) =>
  (await doctor(options)).checks.filter((line) => line.check === name);

describe("cm doctor", () => {
  it("has a line for everything it looked at, and ends with 0 where nothing fails", async () => {
    const { status, checks } = await doctor();

    expect(status).toBe(0);
    expect(checks.map((line) => line.check)).toEqual([
      ...["node", "store", "file", "folder", "space", "schema", "lock", "integrity", "sessions", "clock"],
    ]);
  });

  it("says in words what people should do", async () => {
    chmodSync(sample.store, 0o644);

    const { stdout } = await inProcess(["--store", sample.store, "doctor"]);

    expect(stdout).toMatch(/^ok {4}node: Node \d+/m);
    if (process.platform !== "win32") {
      expect(stdout).toMatch(/^warn {2}file: .* is open to other users \(644\)\n {6}Run chmod 600 on it\.$/m);
    }
  });

  it("fails with 1 where there is no store, and says what is next", async () => {
    const { status, checks } = await doctor({}, sample.at("gone.sqlite"));

    expect(status).toBe(1);
    expect(checks.map(({ check, status: found }) => `${check} ${found}`)).toEqual(["node ok", "store fail"]);
    expect(checks.at(-1)).toMatchObject({
      text: `${sample.at("gone.sqlite")} (--store) cannot be read`,
      next: expect.stringMatching(/name a SQLite/),
    });
  });

  it("recovers nothing where there is nothing to recover, and names both files", async () => {
    const [empty, none, to] = [sample.at("empty.sqlite"), sample.at("none.sqlite"), sample.at("new.sqlite")];
    writeFileSync(empty, "");
    const recover = async (store: string, into: string) =>
      (await inProcess(["--store", store, "doctor", "--recover", into])).stderr;

    expect(await recover(empty, to)).toContain(`${empty} is an empty file and no store`);
    expect(await recover(none, to)).toContain(`${none}, is not there`);
    expect(await recover(sample.store, empty)).toBe(
      `cm: ${sample.store} cannot be recovered into ${empty}: The new file is there already; name another one.\n`,
    );
    expect(existsSync(to)).toBe(false);
  });

  it("offers the way out of a file that is too damaged to be opened, and it is one", async () => {
    const [path, to] = [sample.at("short.sqlite"), sample.at("recovered.sqlite")];
    writeFileSync(path, readFileSync(sample.store).subarray(0, -4 * 4_096));

    const { status, checks } = await doctor({}, path);
    const recovered = await inProcess(["--store", path, "doctor", "--recover", to]);
    const { checks: after } = await doctor({}, to);

    expect(status).toBe(1);
    expect(checks.at(-1)).toMatchObject({ status: "fail", next: expect.stringContaining("cm doctor --recover") });
    expect(recovered.status).toBe(1);
    expect(recovered.stdout).toContain("Some of it could not be read.");
    expect(after).toContainEqual(expect.objectContaining({ check: "integrity", status: "ok" }));
  });

  it("fails with 1 where no XTDB answers, and calls it no Node", async () => {
    const { status, checks } = await doctor({}, "http://127.0.0.1:9");
    const { stderr } = await inProcess(["--store", "http://127.0.0.1:9", "sessions"]);

    expect(status).toBe(1);
    expect(checks.at(-1)).toMatchObject({
      check: "xtdb",
      status: "fail",
      text: expect.stringContaining("http://127.0.0.1:9/"),
      next: "Check the URL, CM_XTDB_TOKEN, and whether XTDB runs there.",
    });
    expect(checks.filter(({ check }) => check === "node")).toHaveLength(1);
    expect(stderr).toMatch(/^cm: http:\/\/127\.0\.0\.1:9\/: No XTDB node could be reached/);
  });

  it("sees that another program holds the write lock", async () => {
    const other = new DatabaseSync(sample.store);
    other.exec("BEGIN IMMEDIATE");

    const [lock] = await about("lock");

    other.exec("ROLLBACK");
    other.close();
    expect(lock).toMatchObject({ status: "warn", next: expect.stringMatching(/./) });
  });

  it("tells who writes a session, and who left one without pausing it", async () => {
    const store = openSqliteStore({ path: sample.store });
    const now = Date.UTC(2026, 0, 3);
    await leaveSession(store, "left", { owner: "pid 12 on \u001b[2Jhost", now });
    await store.close();

    const [during] = await about("lease", { now: now + 30_000 });
    const [after] = await about("lease", { now: now + 90_000 });

    expect(during).toMatchObject({ status: "ok", text: expect.stringContaining("left is written by pid 12 on") });
    expect(after).toMatchObject({ status: "warn", next: expect.stringContaining("Nothing is lost") });
    const { stdout } = await inProcess(["--store", sample.store, "sessions"], { columns: 200, now: now + 90_000 });
    expect(stdout).toContain("pid 12 on \\u{1b}[2Jhost (expired)");
  });

  it("says of many sessions at once that they are written, or were left", async () => {
    const path = sample.at("leases.sqlite");
    const now = Date.UTC(2026, 0, 3);
    const store = openSqliteStore({ path, now: () => now });
    for (let n = 0; n < 12; n += 1) await leaveSession(store, `left-${n}`, { owner: `pid ${n}`, now });
    await store.close();

    const lines = async (at: number) => {
      const { checks } = await doctor({ now: at }, path);
      return checks.flatMap(({ check: name, status, text }) => (name === "lease" ? [`${status} ${text}`] : []));
    };

    expect(await lines(now + 30_000)).toEqual(["ok 12 sessions are being written"]);
    expect(await lines(now + 90_000)).toEqual(["warn 12 sessions were left without being paused, left-0 among them"]);
  });

  it("sees a clock that is behind the newest step", async () => {
    const [clock] = await about("clock", { now: Date.UTC(2026, 0, 1) });

    expect(clock).toMatchObject({ status: "warn", text: expect.stringContaining("2026-01-01 00:00:00Z") });
  });

  it("says that one commit under a clock of 2030 dates what follows, and what to do", async () => {
    const path = sample.at("jumped.sqlite");
    const now = Date.UTC(2026, 0, 3);
    for (const clock of [Date.UTC(2030, 0, 1), now]) {
      const store = openSqliteStore({ path, now: () => clock });
      await leaveSession(store, `at-${clock}`, { owner: "o", now });
      await store.close();
    }

    const lines = (await doctor({ now }, path)).checks.filter(({ check }) => check === "clock");
    const { stdout } = await inProcess(["--store", path, "doctor"], { now });
    const later = (await doctor({ now: Date.UTC(2030, 0, 2) }, path)).checks.filter(({ check }) => check === "clock");

    expect(lines).toMatchObject([
      {
        status: "warn",
        text: "The newest transaction of the store is of 2030-01-01 00:00:00Z, 3 years 364 days ahead of this clock, which says 2026-01-03 00:00:00Z",
      },
    ]);
    expect(stdout).toMatch(
      /^ {6}Set this clock if it is wrong\. .* nothing is lost and the order holds, .* cm export and cm import/m,
    );
    expect(later).toMatchObject([{ status: "ok" }]);
  });

  it("knows which Node is too old", () => {
    expect(checkNode("22.19.0").status).toBe("ok");
    expect(checkNode("26.0.0").status).toBe("ok");
    expect(checkNode("22.18.9")).toMatchObject({ status: "fail", next: "Install Node 22.19, or 24 or later." });
    expect(checkNode("23.11.1").status).toBe("fail");
  });
});
