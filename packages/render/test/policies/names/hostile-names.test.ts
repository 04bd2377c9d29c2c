// Verifies: T9, T16: texts made to be slow cost what their length costs.
import { contextLogPolicy, logLayout } from "@cm/render";
import { RecordedSession } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { keptNames } from "../../../src/policies/names/kept-names.ts";
import { namesIn } from "../../../src/policies/names/names-in.ts";

const megabyte = 1_000_000;

const texts: Readonly<Record<string, string>> = {
  "one line of a megabyte that is one name": "x1".repeat(megabyte / 2),
  "one line of a megabyte of names": "name_1234 ".repeat(megabyte / 10),
  "a hundred thousand names": Array.from({ length: 100_000 }, (_, number) => `name_${number}`).join("\n"),
  "separators in a row": `abcdefg${"/".repeat(megabyte)}`,
  "separators that nest": "a/".repeat(megabyte / 2),
  "separators with pieces that are names": "piece_one/".repeat(megabyte / 10),
  "almost a name again and again": "abcdef/// ".repeat(megabyte / 10),
  backslashes: "\\".repeat(megabyte),
  "escapes of JSON": "\\nname_12\\t".repeat(megabyte / 10),
  "line numbers": "1".repeat(megabyte),
  spaces: " ".repeat(megabyte),
  "empty lines": "\n".repeat(megabyte),
  "words that are none": "Ordinary ".repeat(megabyte / 9),
};

// Anything but linear work on these takes minutes, far over the runner's limit for one test.
describe.each(Object.keys(texts))("%s", (name) => {
  const text = texts[name] ?? "";

  it("has names, of the text's start", () => {
    const chars = [...namesIn(text)].reduce((sum, { length }) => sum + length, 0);

    // Pieces stand beside the names that they are pieces of.
    expect(chars).toBeLessThanOrEqual(200_000);
  });

  it("leaves little beside its reference", () => {
    const { names = [], lines = [] } = keptNames(text, { fresh: [...namesIn(text)], lines: true });

    expect([...names, ...lines].join("\n").length).toBeLessThanOrEqual(4_500);
  });

  it("comes, is looked for, and is folded within a session", () => {
    const session = new RecordedSession({ policy: contextLogPolicy({ retentionBudget: 0 }), renderer: logLayout });
    session.add({ kind: "user", text });
    for (let call = 0; call < 6; call += 1) {
      session.request();
      const callId = `c${call}`;
      const args = call === 1 ? { path: "a.ts", oldText: text, newText: "x" } : { command: "make" };
      session.add({ kind: "assistant", text: "", calls: [{ callId, tool: call === 1 ? "edit" : "bash", args }] });
      session.add({ kind: "result", callId, text: call === 0 ? text : "." });
    }
    session.cache = "cold";

    expect(session.request().decision.fold?.reason).toBe("cold");
  });
});
