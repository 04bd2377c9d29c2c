// Verifies: SSOT 4.1, 4.4, 4.5, T2
import type { LogEntry, PartForm, ViewObject } from "@cm/context-log";
import { parse } from "@cm/prompt-grammar";
import { describe, expect, it } from "vitest";
import { logLayout } from "../../src/layouts/log.ts";
import { ssotAliasLayout, ssotLayout } from "../../src/layouts/ssot.ts";
import { rendererFor } from "../../src/layouts.ts";
import { objectsOf, user, viewOf } from "../support/views.ts";

describe("log/10", () => {
  const image = { sha256: "ab".repeat(32), mime: "image/png", bytes: 3 };
  it.each<[string, LogEntry, string]>([
    ["a result", result("begin, the middle, end"), "begin\n[cm: 14 characters left out here; cm_context show t1]\nend"],
    [
      "a result within characters of two units",
      result("1234🙂, the middle, 🙂nd"),
      "1234\n[cm: 18 characters left out here; cm_context show t1]\nnd",
    ],
    [
      "what the user said",
      user(0, "begin, the middle, end"),
      "begin\n[cm: 14 characters left out here; cm_context show turn1]\nend",
    ],
    [
      "what was attached to that",
      { ...user(0, "short"), attachments: [image] } as LogEntry,
      "short\n[cm: 1 attachment left out here]\n",
    ],
    [
      "what the model said",
      { kind: "assistant", at: 0, step: 0, turn: 2, text: "begin, the middle, end", thinking: [], calls: [] },
      "begin\n[cm: 14 characters left out here; cm_context show turn3]\nend",
    ],
  ])("shows the two ends of %s", (_, entry, expected) => {
    const forms = new Map<string, PartForm>([["0", { form: "spans", head: 5, tail: 3 }]]);

    expect(logLayout.render(viewOf({ log: [entry], objects, forms }), {}).messages[0]?.text).toBe(expected);
  });

  it("shows the two ends of a text that was brought back", () => {
    const recalled: LogEntry = {
      kind: "recalled",
      at: 1,
      step: 0,
      turn: 0,
      into: 0,
      object: "c1",
      text: "begin and end",
    };
    const forms = new Map<string, PartForm>([["1", { form: "spans", head: 5, tail: 3 }]]);

    expect(logLayout.render(viewOf({ log: [result("x"), recalled], objects, forms }), {}).messages[0]?.text).toBe(
      "x\n[cm: brought back here: output of find, 13 characters (t1)]\nbegin\n" +
        "[cm: 5 characters left out here; cm_context show t1]\nend",
    );
  });

  const reminder = "\n\n<system-reminder>\nBe careful.\n</system-reminder>\n";
  it.each([
    ["a whole file", 1, 480, "480 lines of m3.ts"],
    ["a part of a file", 19, 96, "lines 19-96 of m3.ts"],
    ["one line", 19, 19, "line 19 of m3.ts"],
  ])(
    "counts of %s the lines that the tool numbers, and nothing that a harness says below them",
    (_, from, to, said) => {
      const numbers = Array.from({ length: to - from + 1 }, (_, line) => `${String(from + line).padStart(6)}→text`);
      const entry = {
        ...result(numbers.join("\n") + reminder),
        ...{ tool: "Read", args: { file_path: "/src/m3.ts" }, spans: [{ file: "f", start_line: from, end_line: 500 }] },
      } as LogEntry;
      const forms = new Map<string, PartForm>([["0", { form: "reference" }]]);

      expect(logLayout.render(viewOf({ log: [entry], objects, forms }), {}).messages[0]?.text).toBe(
        `[cm: ${said} left out; cm_context show t1]`,
      );
    },
  );

  const leftOut = new Map<string, PartForm>([["0", { form: "reference" }]]);
  it.each<[string, object, string]>([
    ["an error that no harness marked", { text: "ERROR:\nThe path /src/m3.ts does not exist." }, "2 lines"],
    ["a folder", { text: "Here's the files and directories up to 2 levels deep in /src:\na\nb" }, "3 lines"],
    [
      "a range behind the file's end",
      {
        text: "<system-reminder>Warning: the file exists but is shorter than the provided offset (90).</system-reminder>",
      },
      "105 characters",
    ],
    ["a picture", { text: "Read image file", attachments: [image] }, "15 characters and 1 attachment"],
    ["a picture alone", { text: "", attachments: [image, image] }, "2 attachments"],
  ])("takes for no lines of a file what a read says of %s", (_, output, said) => {
    const read = { tool: "view", args: { path: "/src/m3.ts" }, spans: [{ file: "f", start_line: 90 }] };
    const entry = { ...result(""), ...read, ...output } as LogEntry;

    expect(logLayout.render(viewOf({ log: [entry], objects, forms: leftOut }), {}).messages[0]?.text).toBe(
      `[cm: ${said} left out; cm_context show t1]`,
    );
  });

  it.each([
    ["packages/coding-agent/src/tui/tui-renderer.ts", '"…es/coding-agent/src/tui/tui-renderer.ts"'],
    ["grep -r userMessage packages/coding-agent/src", '"grep -r userMessage packages/coding-age…"'],
    ["src/tui.ts", "src/tui.ts"],
  ])("says of what was brought back the end of a path and the beginning of a command: %s", (argsDisplay, target) => {
    const [recalled, known] = [{ kind: "recalled", at: 1, step: 0, turn: 0, into: 0, object: "c1", text: "x" }, "c1"];
    const called = objectsOf({ ...objects.get(known), argsDisplay } as ViewObject);

    const { messages } = logLayout.render(viewOf({ log: [result("x"), recalled as LogEntry], objects: called }), {});

    expect(messages[0]?.text).toBe(`x\n[cm: brought back here: output of find ${target}, 1 character (t1)]\nx`);
  });

  const asked = { file: "f", start_line: 40 };
  it.each([
    ["a part that was asked for", [asked], "a\nb\nc", "lines 40-42"],
    ["a part that ends before what was asked for", [{ ...asked, end_line: 60 }], "a\nb\nc", "lines 40-42"],
    ["a part with words of the tool below it", [{ ...asked, end_line: 41 }], "a\nb\n[9 more]", "lines 40-41"],
    ["one line", [asked], "a", "line 40"],
    ["a part whose lines the tool numbers", [asked], `    40→a\n    41→b${reminder}`, "lines 40-41"],
    ["a whole file", [{ file: "f", start_line: 1 }], "a\nb\nc", "3 lines"],
    ["a file shorter than asked for", [{ file: "f", start_line: 1, end_line: 50 }], "a\nb\nc", "3 lines"],
    [
      "its beginning, with words of the tool",
      [{ file: "f", start_line: 1, end_line: 2 }],
      "a\nb\n[9 more]",
      "lines 1-2",
    ],
    ["a command's output, below what Codex says", [], "Wall time: 0 s\nOutput:\na\nb", "2 lines"],
    ["parts of several files", [asked, { ...asked, file: "g" }], "a\nb\nc", "3 lines"],
  ])("says which lines were brought back: %s", (_, spans, text, said) => {
    const recalled = { kind: "recalled", at: 1, step: 0, turn: 0, into: 0, object: "c1", text } as LogEntry;
    const read = objectsOf({ ...objects.get("c1"), tool: "read", argsDisplay: "src/m3.ts", spans } as ViewObject);

    const { messages } = logLayout.render(viewOf({ log: [result("x"), recalled], objects: read }), {});

    expect(messages[0]?.text).toBe(`x\n[cm: brought back here: output of read src/m3.ts, ${said} (t1)]\n${text}`);
  });

  it.each([
    ["sed -n '6,50p' f", "Wall time: 0 s\nOutput:\na\nb\nc\n", "lines 6-8"],
    ["cat f", "Wall time: 0 s\nOutput:\na\nb\nc\n", "3 lines"],
    // As of a file that is gone by the time it is looked at.
    ["f", "a\nb\n\n[9 more lines in file. Use offset=8 to continue.]", "lines 6-7"],
  ])("says which lines of no known file were brought back: %s", (argsDisplay, text, said) => {
    const recalled = { kind: "recalled", at: 1, step: 0, turn: 0, into: 0, object: "c1", text } as LogEntry;
    const ran = objectsOf({ ...objects.get("c1"), tool: "bash", argsDisplay } as ViewObject);

    const { messages } = logLayout.render(viewOf({ log: [result("x"), recalled], objects: ran }), {});

    expect(messages[0]?.text).toContain(`, ${said} (t1)]\n${text}`);
  });

  it("gives each pair of ends an id of its own", () => {
    const idOf = (head: number): string | undefined => {
      const forms = new Map<string, PartForm>([["0", { form: "spans", head, tail: 1 }]]);
      return logLayout.render(viewOf({ log: [result("the output")], objects, forms }), {}).messages[0]?.id;
    };

    expect(idOf(2)).not.toBe(idOf(3));
  });

  it("is the only version of the layout: those before it were never released", () => {
    expect(rendererFor("log/10")).toBe(logLayout);
    for (const before of ["log/6", "log/7", "log/8", "log/9"]) expect(rendererFor(before)).toBeUndefined();
  });
});

describe("the pool of layouts ssot", () => {
  const many = Array.from({ length: 1_000 }, (_, n): ViewObject => {
    const id = `${n}`.padStart(64, "0");
    return {
      id,
      alias: `f${n}`,
      kind: "file",
      path: `/w/src/${n % 2}/${n}.ts`,
      fileType: "ts",
      charCount: 1,
      text: "x",
    };
  });
  const held = (n: number): string => many[n]?.id ?? "";
  const full = viewOf({
    objects: objectsOf(...many),
    sets: { active: new Set([held(1)]), pinned: new Set([held(2)]) },
  });

  it.each([ssotLayout, ssotAliasLayout])(
    "keeps to its budget: what is in use, then the newest, the rest by folder",
    (layout) => {
      const blocks = parse(layout.render(full, {}));
      const pool = blocks.filter((block) => block.kind === "pool-file");
      const more = blocks.filter((block) => block.kind === "pool-more");

      expect(layout.render(full, {}).messages[0]?.chars).toBeLessThan(40_200);
      expect(pool.slice(0, 3).map(({ path }) => path)).toEqual([
        "/w/src/1/1.ts",
        "/w/src/0/2.ts",
        expect.stringMatching(/\d{3}/),
      ]);
      expect(pool.at(-1)?.path).toBe("/w/src/1/999.ts");
      expect(more.map(({ below }) => below)).toEqual(["/w/src/0", "/w/src/1"]);
      expect(more.reduce((sum, { count }) => sum + count, pool.length)).toBe(1_000);
    },
  );

  it("stands by short names under ssot-alias/4, as every line of it does", () => {
    const sets = { active: new Set(["c1"]) };
    const view = viewOf({ log: [result("the output")], objects: objectsOf(...objects.values()), sets });

    expect(ssotAliasLayout.render(view, {}).messages.map(({ text }) => text)).toEqual([
      "id=t1 type=toolcall tool=find status=ok",
      "toolcall_ref id=t1 tool=find status=ok",
      "ACTIVE_CONTENT id=t1\nthe output",
    ]);
    expect(rendererFor("ssot-alias/4")).toBe(ssotAliasLayout);
  });

  it.each([
    ["unread", "unread"],
    ["deleted", "deleted"],
    ["binary", "binary"],
    ["too_large", "too large"],
    ["unreachable", "unreachable"],
    ["erased", "erased"],
  ] as const)("says of a file without text: %s", (textless, word) => {
    const file: ViewObject = {
      id: "F",
      alias: "f1",
      kind: "file",
      path: "/a",
      fileType: "",
      charCount: 0,
      text: null,
      textless,
    };
    const view = viewOf({ objects: objectsOf(file), sets: { active: new Set(["F"]) } });

    expect(ssotLayout.render(view, {}).messages.map(({ text }) => text)).toEqual([
      `id=F type=file path=/a file_type="" char_count=0 [${word}]`,
      `ACTIVE_CONTENT id=F [${word}]`,
    ]);
  });
});

const objects = objectsOf({ id: "c1", alias: "t1", kind: "toolcall", tool: "find", status: "ok", text: "the output" });

const result = (text: string): LogEntry => ({
  ...{ kind: "result", at: 0, step: 0, turn: 0, callId: "c1", object: "c1", tool: "find", args: { path: "src" } },
  ...{ status: "ok", text, attachments: [], files: [], spans: [] },
});
