// Verifies: a call that would write one of our notices into a file is refused in a sentence, and no other.
import { noticeLine } from "@cm/prompt-grammar";
import { expect, it } from "vitest";
import { refusedCall } from "../../src/tools/refused-call.ts";

const folded = noticeLine({ kind: "left-out", id: "t4", size: { lines: 480 }, file: "m3.ts" });
const cut = "const a = 1;\n [cm: 3,900 characters left out; cm_context show t4.input]";

it.each<readonly [string, object]>([
  ["write", { path: "a.ts", content: folded }],
  ["write", { path: "a.ts", content: `${folded}\n${folded}\n` }],
  ["write", { path: "a.ts", content: cut }],
  [
    "edit",
    {
      path: "a.ts",
      edits: [
        { oldText: "a", newText: "b" },
        { oldText: "c", newText: cut },
      ],
    },
  ],
  ["edit", { path: "a.ts", edits: [{ oldText: "a", newText: folded }] }],
  ["mcp__files__write_file", { path: "a.ts", content: folded }],
  ["str_replace_editor", { command: "create", path: "a.ts", file_text: cut }],
  ["bash", { command: `cat > a.ts <<'EOF'\n${cut}` }],
])("%s of a notice is refused: %j", (toolName, input) => {
  const refused = refusedCall({ toolName, input });

  expect(refused?.block).toBe(true);
  expect(refused?.reason).toMatch(
    /^Not run: what it would write .*cm_context show t4(\.input)?, then call this tool again/,
  );
});

it.each<readonly [string, unknown]>([
  ["write", { path: "a.ts", content: "const a = 1;\n" }],
  ["write", { path: "notes.md", content: `A line such as\n${folded}\nis a notice.` }],
  ["write", { path: folded, content: "x" }],
  ["edit", { path: "a.ts", edits: [{ oldText: folded, newText: "const a = 1;" }] }],
  ["bash", { command: `grep -rn '${folded}' .` }],
  ["bash", { command: folded }],
  ["read", { path: folded }],
  ["cm_context", { action: "list", match: folded }],
  ["somebody's", { text: folded }],
  ["write", undefined],
  ["write", null],
  ["write", "text"],
  ["write", [folded]],
])("%s of anything else is not: %j", (toolName, input) => {
  expect(refusedCall({ toolName, input })).toBeUndefined();
});

it("never throws, since that would block the call", () => {
  const hostile = new Proxy(
    { path: "a" },
    {
      ownKeys: () => {
        throw new Error("hostile");
      },
    },
  );
  const round: Record<string, unknown> = { path: "a.ts", content: "x" };
  round.round = round;

  expect(refusedCall({ toolName: "write", input: hostile })).toBeUndefined();
  expect(refusedCall({ toolName: "write", input: round })).toBeUndefined();
});
