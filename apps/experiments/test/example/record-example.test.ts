// @module-tag process
// @module-tag long
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { type RecordedAssistant, type RecordedResult, type Recording, readRecording } from "@cm/recordings";
import { afterEach, describe, expect, it, vi } from "vitest";
import { defaultFolder } from "../../src/example/default-folder.ts";
import { recordExample } from "../../src/example/record-example.ts";
import { workingFolder } from "./working-folder.ts";

const folder = workingFolder();

/** Records with a folder for temporary files of its own, which can be looked into afterwards. */
async function record(from: string, temporary = "../tmp") {
  await mkdir(folder.at(temporary), { recursive: true });
  vi.stubEnv("TMPDIR", folder.at(temporary));
  return recordExample({ folder: from, into: folder.at("../out/example.jsonl") });
}

/** The files of a folder, and when one was last added or taken away. */
const shapeOf = async (path: string) => [await readdir(path, { recursive: true }), (await stat(path)).mtimeMs];

async function recordDefaultFolder() {
  const before = await shapeOf(defaultFolder());
  const { file, calls } = await record(defaultFolder());
  return {
    recording: await readRecording(file),
    text: await readFile(file, "utf8"),
    calls,
    around: folder.at(".."),
    folder: { before, after: await shapeOf(defaultFolder()) },
    left: { temporary: await readdir(folder.at("../tmp")), out: await readdir(folder.at("../out")) },
  };
}

let recorded: ReturnType<typeof recordDefaultFolder> | undefined;

/** Made once for all tests that only look at it. */
function ofDefaultFolder() {
  recorded ??= recordDefaultFolder();
  return recorded;
}

afterEach(() => {
  vi.unstubAllEnvs();
});

function assistants({ events }: Recording): readonly RecordedAssistant[] {
  return events.filter((event) => event.kind === "assistant");
}

function results({ events }: Recording): readonly RecordedResult[] {
  return events.filter((event) => event.kind === "result");
}

describe("the recording of the default folder", () => {
  it("reads back as a session of 40 to 70 model calls over several prompts", async () => {
    const { recording, calls } = await ofDefaultFolder();

    expect(recording).toMatchObject({ format: "pi", cwd: "/example/project", skippedLines: 0, warnings: [] });
    expect(assistants(recording)).toHaveLength(calls);
    expect(calls).toBeGreaterThanOrEqual(40);
    expect(calls).toBeLessThanOrEqual(70);
    expect(recording.events.filter(({ kind }) => kind === "user")).toHaveLength(5);
    expect(recording.events.at(-1)).toMatchObject({ kind: "assistant", calls: [], stopReason: "stop" });
  });

  it("has one result for each call, named alike and in order", async () => {
    const { recording } = await ofDefaultFolder();

    const called = assistants(recording).flatMap(({ calls }) => calls.map(({ id, name }) => [id, name]));

    expect(results(recording).map(({ callId, tool }) => [callId, tool])).toEqual(called);
    expect(new Set(called.map(([, name]) => name))).toEqual(new Set(["bash", "grep", "read", "edit", "write"]));
    expect(called.at(0)).toEqual(["call_1", "bash"]);
  });

  it("has one edit that fails, a look at the file, and the edit that succeeds", async () => {
    const { recording } = await ofDefaultFolder();

    const all = results(recording);
    const failed = all.filter((result) => result.failed);
    const edit = failed.find(({ tool }) => tool === "edit");
    const after = all.slice((edit === undefined ? -1 : all.indexOf(edit)) + 1);

    expect(failed.map(({ tool, text }) => [tool, text.split(" ").slice(0, 3).join(" ")])).toEqual([
      ["bash", "Command exited with"],
      ["edit", "Could not find"],
    ]);
    expect(after.slice(0, 2)).toMatchObject([
      { tool: "read", failed: false },
      { tool: "edit", failed: false },
    ]);
  });

  it("leaves code that parses", async () => {
    const { recording } = await ofDefaultFolder();

    const checks = results(recording).filter(({ text }) => text.startsWith("parsed: "));

    expect(checks).toHaveLength(4);
    for (const { text } of checks) expect(text).toMatch(/^parsed: \d+, broken: 0\n$/);
  });

  it("is the same bytes each time, wherever the copy was, without a path of this machine", async () => {
    const { text: first, around } = await ofDefaultFolder();
    await mkdir(folder.at("../tmp"), { recursive: true });
    await folder.link("../linked-tmp", folder.at("../tmp"));
    const second = await readFile((await record(defaultFolder(), "../linked-tmp")).file, "utf8");

    expect(second).toBe(first);
    for (const path of [around, folder.at(".."), defaultFolder(), "cm-example-"]) {
      expect(first).not.toContain(JSON.stringify(path).slice(1, -1));
    }
  });

  it("changes nothing in the folder", async () => {
    const { before, after } = (await ofDefaultFolder()).folder;

    expect(after).toEqual(before);
  });
});

describe("any other folder", () => {
  it("is worked on as well", async () => {
    await folder.file(
      "shop.js",
      "import a from './a.js';\n\nfunction price() {}\n\nexport const shop = () => price();\n",
    );
    await folder.file("it's odd.js", "export function odd() {}\n");
    await folder.file("a.js", "module.exports = 1;\n");
    await folder.file("README.md", "# Shop\n\nSells things.\n");
    await folder.file("tool.py", "def main():\n    pass\n");

    const { file, calls } = await record(folder.at("."));

    const recording = await readRecording(file);
    const edits = results(recording).filter(({ tool }) => tool === "edit");
    expect(assistants(recording)).toHaveLength(calls);
    expect(edits.filter(({ failed }) => !failed).length).toBeGreaterThan(8);
    expect(edits.filter(({ failed }) => failed)).toHaveLength(1);
    expect(results(recording).filter(({ text }) => text === "parsed: 4, broken: 0\n")).toHaveLength(4);
  });

  const inCampaign: readonly [string, string, string][] = [
    ["only prose", "a.md", "Text.\n"],
    ["only data", "data.json", "{}"],
    ["the same line again and again", "a.ts", "export {};\n".repeat(50)],
  ];
  it.each<[string, string, string]>([
    ["only an empty file", "empty.ts", ""],
    ["code that does not parse", "a.ts", "export const = ;\n"],
    ["a file that no read shows in whole", "a.ts", "export const a = 1;\n".repeat(3_000)],
    ...(process.env.CM_CAMPAIGN === "1" ? inCampaign : []),
  ])("may hold %s", async (_title, name, content) => {
    await folder.file(name, content);

    const { file, calls } = await record(folder.at("."));

    expect(assistants(await readRecording(file))).toHaveLength(calls);
  });
});

describe("what is left behind", () => {
  it("is the recording alone", async () => {
    const { left } = await ofDefaultFolder();

    expect(left).toEqual({ temporary: [], out: ["example.jsonl"] });
  });

  it("is nothing where there are no sources", async () => {
    await expect(record(folder.at("."))).rejects.toMatchObject({ code: "example/no-sources" });

    expect(await readdir(folder.at("../tmp"))).toEqual([]);
    expect(await readdir(folder.at(".."))).not.toContain("out");
  });

  it("is nothing where the recording cannot be put in place", async () => {
    await folder.file("a.ts", "");
    await folder.file("../out/example.jsonl/in-the-way", "");

    await expect(record(folder.at("."))).rejects.toMatchObject({ code: "example/not-written" });

    expect(await readdir(folder.at("../tmp"))).toEqual([]);
    expect(await readdir(folder.at("../out"))).toEqual(["example.jsonl"]);
  });
});
