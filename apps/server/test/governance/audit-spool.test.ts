// Verifies: the audit is complete after a kill: what is said lies in a file until the store has it.
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type GovernedEvent, governedEvent, sessionChain } from "@cm/governance";
import { afterEach, describe, expect, it } from "vitest";
import { AuditSpool, recoverSpools, type SpooledEntry } from "../../src/governance/audit-spool.ts";
import { EventLog } from "../../src/governance/event-log.ts";
import { folderWith, removed } from "../support/scripted.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) removed(folder);
});

const event = (eventId: string): GovernedEvent =>
  governedEvent("session_started", {
    ...{ eventId, tenantId: "t", userId: "u", at: 1, component: "LocalAgentHost" },
    chain: sessionChain({ workspaceId: "w", sessionId: "s" }),
  }) as GovernedEvent;

function world() {
  const folder = join(folderWith({}), "audit");
  folders.push(join(folder, ".."));
  const faults: string[] = [];
  const options = { folder, fault: (what: string) => faults.push(what) };
  const recovered = async (isUp = true) => {
    const taken: SpooledEntry[] = [];
    await recoverSpools(options, async (entries) => {
      taken.push(...entries);
      return isUp;
    });
    return taken.map((entry) => ("event" in entry ? entry.event.eventId : entry.approval.request.approvalId));
  };
  const files = () => (existsSync(folder) ? readdirSync(folder) : []);
  return { folder, faults, options, recovered, files };
}

/** As if its process had been killed. */
function left({ folder, files }: Pick<ReturnType<typeof world>, "folder" | "files">): void {
  for (const name of files()) {
    const [machine, , ...rest] = name.split("-");
    // No process has this number.
    writeFileSync(join(folder, [machine, "4194999", ...rest].join("-")), readFileSync(join(folder, name)));
  }
}

describe("what is said and not in the store yet", () => {
  it("is found by the next start, in order, and taken away once the store has it", async () => {
    const spooled = world();
    const spool = new AuditSpool(spooled.options);
    for (const id of ["e1", "e2", "e3"]) spool.add({ event: event(id) });
    left(spooled);
    spool.close();

    const whileDown = await spooled.recovered(false);
    const ids = await spooled.recovered();

    expect(new Set(whileDown)).toEqual(new Set(["e1", "e2", "e3"]));
    expect(ids.slice(0, 3)).toEqual(["e1", "e2", "e3"]);
    expect(spooled.files()).toEqual([]);
    expect(await spooled.recovered()).toEqual([]);
    expect(spooled.faults).toEqual([]);
  });

  it("of a process that runs is read, and left to it", async () => {
    const spooled = world();
    const spool = new AuditSpool(spooled.options);
    spool.add({ event: event("e1") });

    expect(await spooled.recovered()).toEqual(["e1"]);
    expect(spooled.files()).toHaveLength(1);
    expect(statSync(join(spooled.folder, `${spooled.files()[0]}`)).mode & 0o777).toBe(0o600);
    spool.clear();
    spool.close();
    expect(spooled.files()).toEqual([]);
  });

  it("is whole up to the line in which the process was killed", async () => {
    const spooled = world();
    const spool = new AuditSpool(spooled.options);
    spool.add({ event: event("e1") });
    appendFileSync(join(spooled.folder, `${spooled.files()[0]}`), '{"event":{"eventId":"e2","ev');

    expect(await spooled.recovered()).toEqual(["e1"]);
    expect(spooled.faults).toEqual([expect.stringContaining("not whole")]);
    spool.close();
  });

  it("stays until an approval that is written by itself is written, too", () => {
    const spooled = world();
    const spool = new AuditSpool(spooled.options);
    spool.hold({ approval: { request: { approvalId: "a1" } } as never });
    spool.add({ event: event("e1") });
    const size = () => statSync(join(spooled.folder, `${spooled.files()[0]}`)).size;

    spool.clear();
    const held = size();
    spool.release();
    spool.clear();

    expect(held).toBeGreaterThan(0);
    expect(size()).toBe(0);
    spool.close();
  });

  it("fails no caller where the folder cannot be written, and says so once", () => {
    const spooled = world();
    writeFileSync(spooled.folder, "a file");
    const spool = new AuditSpool(spooled.options);

    for (const id of ["e1", "e2"]) spool.add({ event: event(id) });
    spool.clear();
    spool.close();

    expect(spooled.faults).toEqual([expect.stringContaining("not spooled any more")]);
  });

  it("is in the file before the one who says it goes on, and is not while the store has it", async () => {
    const spooled = world();
    const spool = new AuditSpool(spooled.options);
    const waiting: GovernedEvent[] = [];
    const audit = {
      lost: 0,
      get waiting() {
        return waiting.length;
      },
      emit: (one: GovernedEvent) => void waiting.push(one),
      flush: async () => {
        waiting.length = 0;
        return true;
      },
    };
    const log = new EventLog({ audit, spool, now: () => 1, fault: spooled.options.fault });
    const chain = sessionChain({ workspaceId: "w", sessionId: "s" });
    const size = () => statSync(join(spooled.folder, `${spooled.files()[0]}`)).size;

    log.say("session_started", { chain, tenantId: "t", userId: "u" });
    const before = size();
    await log.flush();

    expect(before).toBeGreaterThan(100);
    expect(size()).toBe(0);
    spool.close();
  });
});
