// @module-tag process
// Verifies: SSOT 3.9, F14, T8: looking at sessions, objects and past prompts, as people and as programs do.
import { readFileSync } from "node:fs";
import { plainLayout, plainPolicy } from "@cm/render";
import { openSession } from "@cm/session";
import { openSqliteStore } from "@cm/store-sqlite";
import { describe, expect, it } from "vitest";
import { inProcess } from "../support/in-process.ts";
import { jsonLines } from "../support/run-cm.ts";
import { sampleFolder } from "../support/sample-file.ts";
import { firstNotes, hostilePath, hostileText, secondNotes, widePath } from "../support/sample-store.ts";
import * as shapes from "../support/shapes.ts";

const sample = sampleFolder();
const cm = (...args: string[]) => inProcess(["--store", sample.store, ...args]);
const json = async (...args: string[]) => jsonLines((await cm("--json", ...args)).stdout);
const onTerminal = (columns: number, ...args: string[]) => inProcess(["--store", sample.store, ...args], { columns });

describe("cm sessions", () => {
  it("lists sessions for people, the newest first", async () => {
    const { status, stdout, stderr } = await cm("sessions");

    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout.split("\n").map((line) => line.split(/\s{2,}/).slice(0, 4))).toEqual([
      ["session", "status", "steps", "objects"],
      ["beta", "paused", "1", "2"],
      ["alpha", "paused", "3", "6"],
      [""],
    ]);
  });

  it("gives programs one line a session, the id first", async () => {
    const { stdout } = await cm("sessions", "--json");

    expect(stdout).toMatch(/^\{"session":"alpha",.*\n\{"session":"beta",.*\n$/);
    expect(jsonLines(stdout).map((line) => shapes.session.parse(line).steps)).toEqual([3, 1]);
  });
});

describe("cm show", () => {
  it("shows a session with its objects under their aliases", async () => {
    const { status, stdout } = await cm("show", "alpha");

    expect(status).toBe(0);
    expect(stdout).toMatch(/^session +alpha\nstatus +paused\nsteps +3 \(1 turn, 3 tool calls\)\nobjects +6 /);
    expect(stdout).toMatch(/^f1 +active +17 {2}\/project\/notes\.txt$/m);
    expect(stdout).toContain(`  ${widePath}\n`);
  });

  it("gives programs a line for the session and one for each object", async () => {
    const [first, ...others] = await json("show", "alpha");

    expect(shapes.shownSession.parse(first).objects.index).toBe(6);
    expect(others.map((line) => shapes.listedObject.parse(line).alias).sort()).toEqual([
      ...["f1", "f2", "f3", "t1", "t2", "t3"],
    ]);
  });

  it("shows what waits for the next request, whole for programs", async () => {
    const path = sample.at("waiting.sqlite");
    const store = openSqliteStore({ path });
    const session = await openSession({
      store,
      session: "asked",
      layout: { policy: plainPolicy, renderer: plainLayout },
    });
    const text = `Two\nlines ${"x".repeat(3_000)}`;
    await session.receive([{ role: "user", text }]);
    await session.close();
    await store.close();

    const { stdout } = await inProcess(["--store", path, "show", "asked"]);
    const { stdout: forPrograms } = await inProcess(["--store", path, "--json", "show", "asked"]);

    expect(stdout).toMatch(/^waiting {2}user: Two\S{1,10}lines x+…?/m);
    expect(shapes.shownSession.parse(JSON.parse(forPrograms)).waiting).toEqual([{ role: "user", text }]);
  });

  it("finds a session by the start of its id", async () => {
    expect((await json("show", "al"))[0]).toMatchObject({ session: "alpha" });
  });

  it("prints an object's text alone on a pipe, byte for byte, and about it on stderr", async () => {
    const { status, stdout, stderr } = await cm("show", "alpha", "f2");

    expect({ status, stdout }).toEqual({ status: 0, stdout: hostileText });
    expect(stderr).toContain("name        /project/\\u{1b}[2Jred\\u{202e}gpj.\\u{a}name.txt\n");
  });

  it("lets no text act on a terminal", async () => {
    const { stdout, stderr } = await onTerminal(80, "show", "alpha", "f2");

    expect(stdout).toBe("before\\u{1b}]0;title\\u{7}after\\u{202e}\tend\n");
    expect(stderr).not.toContain("\u001b");
  });

  it("lets no text act on a terminal in JSON either, which says the same", async () => {
    const { stdout } = await cm("--json", "show", "alpha", "f2");

    expect(["\u001b", "\u202e", "\u009b"].filter((one) => stdout.includes(one))).toEqual([]);
    expect(JSON.parse(stdout).text).toBe(hostileText);
  });

  it("gives programs the text with what is known about it", async () => {
    const [object] = await json("show", "alpha", hostilePath);

    expect(shapes.shownObject.parse(object)).toMatchObject({ alias: "f2", path: hostilePath, text: hostileText });
  });

  it("shows what the session has in sight, not what others wrote since", async () => {
    expect((await cm("show", "alpha", "t1")).stdout).toBe(firstNotes);
    expect((await cm("show", "alpha", "/project/notes.txt")).stdout).toBe(secondNotes);
  });

  it("prints documents without a text as JSON", async () => {
    expect(JSON.parse((await cm("show", "alpha", "step:alpha:0")).stdout)).toMatchObject({ type: "step", n: 0 });
  });
});

describe("cm history", () => {
  it("lists the versions of a file by the end of its path, newest first", async () => {
    const { status, stdout } = await cm("history", "notes.txt");

    expect(status).toBe(0);
    expect(stdout.split("\n").map((line) => line.trim().split(/\s{2,}/)[0])).toEqual(["version", "2", "1", ""]);
  });

  it("takes paths, ids, starts of ids and aliases", async () => {
    const [newest] = (await json("history", "notes.txt")).map((line) => shapes.version.parse(line));
    const id = newest?.id ?? "";

    for (const name of ["/project/notes.txt", "./notes.txt", id, id.slice(0, 12)]) {
      expect((await json("history", name)).map((line) => shapes.version.parse(line).id)).toEqual([id, id]);
    }
    expect(await json("history", "f1", "--session", "beta")).toHaveLength(2);
    expect(await json("history", "notes.txt", "--session", "beta")).toHaveLength(2);
  });
});

describe("cm diff", () => {
  it("shows what the newest version changed", async () => {
    const { status, stdout } = await cm("diff", "notes.txt");

    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: [
        "--- notes.txt (version 1)",
        "+++ notes.txt (version 2)",
        ...["@@ -1,3 +1,4 @@", " one", "-two", "+2", " three", "+four", ""],
      ].join("\n"),
    });
  });

  it("compares any two versions, by number or hash", async () => {
    const [newest] = (await json("history", "notes.txt")).map((line) => shapes.version.parse(line));
    const [found] = await json("diff", "notes.txt", newest?.contentHash.slice(0, 8) ?? "", "1");

    expect(shapes.diff.parse(found)).toMatchObject({ from: { version: 2 }, to: { version: 1 }, changed: true });
  });

  it("compares what two steps had in sight", async () => {
    const [found] = await json("diff", "alpha@0", "beta@0", "f1");

    expect(shapes.diff.parse(found)).toMatchObject({ from: { session: "alpha", n: 0 }, changed: true });
    expect(await cm("diff", "alpha@1", "beta@0", "f1")).toMatchObject({
      ...{ status: 0, stdout: "", stderr: "The two have the same text.\n" },
    });
  });
});

describe("cm at", () => {
  it("shows a session as it was after a step", async () => {
    const [session, ...objects] = await json("at", "alpha@0");

    expect(shapes.pastSession.parse(session)).toMatchObject({ step: 0, objects: { index: 2 }, complete: true });
    expect(objects.map((line) => shapes.listedObject.parse(line).alias)).toEqual(["t1", "f1"]);
    expect((await cm("at", "0", "--session", "alpha")).stdout).toMatch(/^session +alpha\nafter step +0\n/);
  });

  it("prints the prompt as it was sent, and says that its hash holds", async () => {
    const { status, stdout, stderr } = await cm("at", "alpha@1", "--prompt");

    expect(status).toBe(0);
    expect(stdout).toMatch(/^# system\nBe brief\.\n\n# user\nLook at the notes\.\n/);
    expect(stderr).toMatch(/^This is the prompt as it was sent \(plain\/1, \d+ characters\): its hash holds\.\n$/);
    const [prompt] = await json("at", "alpha@1", "--prompt");
    expect(shapes.prompt.parse(prompt)).toMatchObject({ holds: true, complete: true });
  });
});

describe("cm files", () => {
  it("says of what there is none", async () => {
    expect((await cm("files", "/nowhere")).stderr).toBe(
      "No session met a file of the source filesystem whose path begins with /nowhere.\n",
    );
    expect((await cm("files", "--session", "beta", "--source", "git")).stderr).toBe(
      "Session beta has not met a file of the source git.\n",
    );
  });

  it("lists the files below a prefix that any session met, and who met them", async () => {
    const files = (await json("files", "/project/n", "--sessions")).map((line) => shapes.file.parse(line));

    expect(files).toMatchObject([
      {
        path: "/project/notes.txt",
        sessions: [
          { session: "alpha", alias: "f1" },
          { session: "beta", alias: "f1" },
        ],
      },
    ]);
    expect(await json("files", "--session", "beta")).toHaveLength(1);
  });

  it("keeps hostile names on their line, and within the terminal", async () => {
    const { stdout } = await onTerminal(40, "files");

    expect(stdout.trimEnd().split("\n")).toHaveLength(4);
    expect(["\u001b", "\u202e"].filter((one) => stdout.includes(one))).toEqual([]);
  });
});

describe("looking", () => {
  it("leaves the file as it was, byte for byte", async () => {
    const before = readFileSync(sample.store);

    for (const args of [
      ["sessions"],
      ["show", "alpha"],
      ["verify"],
      ["doctor"],
      ["at", "alpha@1", "--prompt"],
      ["export", "alpha"],
    ]) {
      await cm(...args);
      expect(readFileSync(sample.store).equals(before), args.join(" ")).toBe(true);
    }
  });

  it("is in colour on a terminal that has colours, and never with NO_COLOR", async () => {
    const args = ["--store", sample.store, "sessions"];

    expect((await inProcess(args, { columns: 80, colors: true })).stdout).toContain("\u001b[1m");
    expect((await inProcess(args, { columns: 80, colors: true, env: { NO_COLOR: "1" } })).stdout).not.toContain(
      "\u001b",
    );
  });
});
