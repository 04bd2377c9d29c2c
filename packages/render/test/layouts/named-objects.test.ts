// Verifies: SSOT 4.1, 4.4, 4.5, design 7.7, 7.8, T2
import type { BroughtFile, ContextView, LogEntry, PartForm, ViewObject } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { parse } from "../../src/blocks/parse.ts";
import { rendererFor } from "../../src/layouts/layouts.ts";
import { logLayout } from "../../src/layouts/log.ts";
import { ssotAliasLayout, ssotLayout } from "../../src/layouts/ssot.ts";
import { objectsOf, user, viewOf } from "../support/views.ts";

const image = { sha256: "ab".repeat(32), mime: "image/png", bytes: 3 };

describe("log/2", () => {
  it("tells the files that came with a call below its alias, and names them where the text is folded", () => {
    const brought: readonly BroughtFile[] = [
      { object: "F3", path: "/w/src/a b.ts", textless: "unread" },
      { object: "F4", path: "/w/src/c.ts" },
      { object: "F9", path: "", textless: "erased" },
    ];

    expect(shownAs({ form: "full" }, brought)).toBe(
      'id=t1\nid=f3 type=file path="/w/src/a b.ts" [unread]\nid=f4 type=file path=/w/src/c.ts\n' +
        'id=f9 type=file path="" [erased]\nthe output',
    );
    expect(shownAs({ form: "reference" }, brought)).toMatch(/^toolcall_ref id=t1 .*files=f3\.\.f4,f9 chars=10$/);
    expect(shownAs({ form: "same", as: "1" }, brought)).toMatch(/ files=f3\.\.f4,f9 same_as=t1$/);
  });

  it("names twelve files of a listing, counts the others by folder, and names all in a reference", () => {
    const paths = ["src/x", "src/x/y", "src/z", "docs", "lib"].flatMap((folder) =>
      Array.from({ length: 5 }, (_, n) => `/w/${folder}/${n}.ts`),
    );
    const brought = paths.map((path, n) => ({ object: `F${n + 1}`, path, textless: "unread" as const }));

    const lines = shownAs({ form: "full" }, brought).split("\n");

    expect(lines).toHaveLength(1 + 12 + 3 + 1);
    expect(lines.slice(13, 16)).toEqual([
      "list_objects count=3 below=/w/src/z",
      "list_objects count=5 below=/w/docs",
      "list_objects count=5 below=/w/lib",
    ]);
    expect(shownAs({ form: "reference" }, brought)).toContain(" files=f1..f25 ");
  });

  it("groups what lies in many folders less deep, so that few lines say it", () => {
    const brought = Array.from({ length: 40 }, (_, n) => ({ object: `F${n}`, path: `/w/a${n % 3}/b${n}/c.ts` }));

    const folders = shownAs({ form: "full" }, brought)
      .split("\n")
      .filter((line) => line.startsWith("list_objects"));

    expect(folders).toEqual([
      "list_objects count=10 below=/w/a0",
      "list_objects count=9 below=/w/a1",
      "list_objects count=9 below=/w/a2",
    ]);
  });

  it("does not say a path again that the call names", () => {
    expect(
      shownAs({ form: "full" }, [
        { object: "F3", path: "/w/src" },
        { object: "F4", path: "/w/mysrc" },
      ]),
    ).toBe("id=t1\nid=f3 type=file\nid=f4 type=file path=/w/mysrc\nthe output");
  });

  const ends = { form: "spans", head: 4, tail: 3 } as const;
  it.each<[string, LogEntry, string]>([
    ["a result", result("0123456789"), "id=t1\n0123\nleft_out chars=3 id=t1\n789"],
    ["a result that is short", result("0123456"), "id=t1\n0123456"],
    ["a result within characters of two units", result("012😀4😀89"), "id=t1\n012\nleft_out chars=5 id=t1\n89"],
    [
      "a recalled text",
      { ...place, kind: "recalled", object: "c1", text: "0123456789" },
      "ACTIVE_CONTENT id=t1\n0123\nleft_out chars=3 id=t1\n789",
    ],
    [
      "what the user said",
      { ...place, kind: "user", text: "0123456789", attachments: [] },
      "0123\nleft_out chars=3\n789",
    ],
    [
      "what was attached to that",
      { ...place, kind: "user", text: "0123", attachments: [image] },
      "0123\nleft_out chars=0 attachments=1\n",
    ],
    [
      "what the model said",
      { ...place, kind: "assistant", text: "0123456789", thinking: [], calls: [] },
      "0123\nleft_out chars=3\n789",
    ],
  ])("shows the two ends of %s", (_, entry, expected) => {
    const view = viewOf({ log: [entry], objects, forms: new Map([["0", ends]]) });

    expect(logLayout.render(view, {}).messages.map(({ text }) => text)).toEqual([expected]);
  });

  it("gives each pair of ends an id of its own", () => {
    const ids = [ends, { ...ends, head: 3 }, { ...ends, tail: 2 }, { form: "full" } as const].map((form) => {
      const view = viewOf({ log: [result("0123456789")], objects, forms: new Map([["0", form]]) });
      return logLayout.render(view, {}).messages[0]?.id;
    });

    expect(new Set(ids).size).toBe(4);
  });

  it("is the only version of the layout: log/1 was never released", () => {
    expect([rendererFor("log/2"), rendererFor("log/1")]).toEqual([logLayout, undefined]);
  });
});

describe("a summary on top of a log", () => {
  const rows = [
    { alias: "f2", kind: "file", path: "/w/b.ts", charCount: 9 },
    { alias: "f1", kind: "file", path: "/w/a\nb", textless: "deleted" },
    { alias: "t4", kind: "toolcall", tool: "bash", status: "fail" },
  ] as const;
  const summary = {
    rows,
    folders: [
      { path: "/w/src", objects: 7 },
      { path: "", objects: 2 },
    ],
  };

  it("has a line for each object, then the folders of the others", () => {
    const { messages } = logLayout.render(viewOf({ log: [user(0, "Hi")], summary }), {});

    expect(messages.map(({ id, role }) => [id.replace(/~.*/, ""), role])).toEqual([
      ["summary", "user"],
      ["0", "user"],
    ]);
    expect(messages[0]?.text.split("\n")).toEqual([
      "id=f2 type=file path=/w/b.ts char_count=9",
      'id=f1 type=file path="/w/a\\nb" [deleted]',
      "id=t4 type=toolcall tool=bash status=fail",
      "list_objects count=7 below=/w/src",
      "list_objects count=2",
    ]);
  });

  it("keeps the prefix while it stays, and gives it up when another one comes", () => {
    const log = [user(0, "Hi"), user(1, "there")];
    const first = logLayout.render(viewOf({ log }), { summary });
    log.push(user(2, "again"));
    const next = logLayout.render(viewOf({ log, summary: structuredClone(summary), sent: first }), {});
    const other = logLayout.render(viewOf({ log, summary, sent: next }), { summary: { rows: rows.slice(1) } });

    expect(next.kept).toEqual({ messages: 3, chars: first.chars });
    expect(other.kept).toEqual({ messages: 0, chars: "id=f".length });
  });

  it("is left away where it says nothing", () => {
    const { messages } = logLayout.render(viewOf({ log: [user(0, "Hi")], summary: { rows: [] } }), {});

    expect(messages).toHaveLength(1);
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

  it("stands by short names under ssot-alias/1, as every line of it does", () => {
    const sets = { active: new Set(["c1"]) };
    const view = viewOf({ log: [result("the output")], objects: objectsOf(...objects.values()), sets });

    expect(ssotAliasLayout.render(view, {}).messages.map(({ text }) => text)).toEqual([
      "id=t1 type=toolcall tool=find status=ok",
      "toolcall_ref id=t1 tool=find status=ok",
      "ACTIVE_CONTENT id=t1\nthe output",
    ]);
    expect(rendererFor("ssot-alias/1")).toBe(ssotAliasLayout);
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

const place = { at: 0, step: 0, turn: 0 };
const objects = objectsOf({ id: "c1", alias: "t1", kind: "toolcall", tool: "find", status: "ok", text: "the output" });

function result(text: string, brought?: readonly BroughtFile[]): LogEntry {
  const call = { callId: "c1", object: "c1", tool: "find", args: { path: "src" } };
  const rest = { status: "ok" as const, text, attachments: [], files: [], spans: [] };
  return { kind: "result", ...place, ...call, ...rest, ...(brought === undefined ? {} : { brought }) };
}

/** A result with these files, in a form. */
function shownAs(form: PartForm, brought: readonly BroughtFile[]): string {
  const files = brought.map(({ object, path }): ViewObject => {
    return { id: object, alias: object.toLowerCase(), kind: "file", path: `${path} renamed since`, text: null };
  });
  const view: ContextView = viewOf({
    log: [result("the output", brought), { ...result("the output"), at: 1 } as LogEntry],
    objects: objectsOf(...objects.values(), ...files),
    forms: new Map([["0", form]]),
  });
  return logLayout.render(view, {}).messages[0]?.text ?? "";
}
