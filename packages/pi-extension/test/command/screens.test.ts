// @module-tag pi
// Verifies: SSOT 5.12: what /cm says fits a terminal of 80 columns and one of 150, and is kept here to be read.
import { join } from "node:path";
import { openTerminal, type PiRun, type ScriptedAnswer, withTmux } from "@cm/scripted-models/real-pi";
import { expect, it } from "vitest";
import { textOf } from "../support/texts.ts";
import { versionsNow, withPi } from "../support/with-pi.ts";

const files = {
  "rules.md": textOf("rule", 60),
  "src/wide-name-of-a-module/orders.ts": textOf("order", 200),
  "src/users.ts": textOf("user", 120),
  "notes.txt": textOf("note", 30),
};

const calls = (name: string, args: Readonly<Record<string, string>>): ScriptedAnswer => ({ calls: [{ name, args }] });

const script: readonly ScriptedAnswer[] = [
  calls("read", { path: "rules.md" }),
  calls("read", { path: "src/wide-name-of-a-module/orders.ts" }),
  calls("read", { path: "src/users.ts" }),
  calls("bash", { command: "for i in $(seq 1 150); do echo checked row $i of the orders; done" }),
  { text: "The orders are read and checked. Rows 1 to 150 are fine.", thinking: "All rows were printed." },
  calls("read", { path: "notes.txt" }),
  calls("write", { path: "src/report.ts", content: textOf("report", 50) }),
  { text: "The report is written." },
  { text: "Done." },
];

withTmux("in a terminal", () => {
  for (const version of versionsNow)
    withPi(version, "what /cm shows", (stages) => {
      it.each([80, 150])("is as kept, at %i columns", async (columns) => {
        const { run } = await stages.open(script, {}, { files });
        const terminal = await openTerminal(run, { columns, rows: 100 });
        await terminal.until(/^ *cm on/m);
        const kept = async (name: string, line: string, shows: RegExp, from?: RegExp): Promise<void> => {
          if (line !== "") await terminal.enter(line);
          const shown = normal(saidIn(await terminal.until(shows), { from, shows }), run);
          expect(Math.max(...shown.split("\n").map((row) => row.length))).toBeLessThanOrEqual(columns);
          await expect(shown).toMatchFileSnapshot(join(import.meta.dirname, "screens", `${name}-${columns}.txt`));
        };

        await terminal.enter("Check the orders.");
        await terminal.until(/Rows 1 to 150 are fine/);
        await kept("full", "/cm", /Folded: nothing/, /^ state/);
        await kept("protect", "/cm protect *.md", /stay in full in this session/);
        await terminal.enter("Write a report.");
        await terminal.until(/The report is written/);
        await kept("fold", "/cm fold", /With the next request/);
        await terminal.enter("Is it done?");
        await terminal.until(/^ *Done\.\s*$/m);
        await kept("notice", "", /cm folded/);
        await kept("folded", "/cm", /Folded: [\d,]+ tokens/, /^ state/);
        await kept("why-folded", "/cm why t2", /Nothing is lost/);
        await kept("why-protected", "/cm why rules.md", /protected/);
        await kept("protected", "/cm protect", /protects more/);
        await kept("objects", "/cm objects files", /notes\.txt \d+ tokens/);
        await kept("help", "/cm help", /this list/);

        await terminal.press("C-d");
        expect(await terminal.ended()).toBe(0);
      });
    });
});

/** What a command said: from a line that begins so, or the paragraph, down to the line that a person types into. */
function saidIn(
  screen: string,
  { from, shows }: { readonly from: RegExp | undefined; readonly shows: RegExp },
): string {
  const rows = screen.split("\n").map((row) => row.trimEnd());
  const at = rows.findLastIndex((row) => shows.test(row));
  const begins = (row: string): boolean => (from === undefined ? row === "" : from.test(row));
  const start = rows.slice(0, at).findLastIndex(begins) + (from === undefined ? 1 : 0);
  // While a turn ends, the line above says that Pi works.
  const end = rows.findIndex((row, place) => place > at && row.startsWith("──"));
  return rows.slice(start, end).join("\n").trimEnd();
}

/** Without what differs from machine to machine: places, times, and what depends on the length of Pi's own prompt. */
function normal(text: string, { home }: PiRun): string {
  const placed = text
    .replaceAll(home.folder, "HOME")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/g, "YYYY-MM-DD hh:mm:ssZ");
  return (
    placed
      .replace(/^( context .*|.*Pi alone would be billed.*| cost .*)$/gm, (row) => row.replace(/-?\d[\d.,]*/g, "#"))
      .replace(/about [\d,]+ tokens:/, "about # tokens:")
      // On a busy machine the newest step may not be written yet.
      .replace(/; \d+ steps? kept in memory, to be written later/, "")
      .replace(/ [ \d]\d%/g, " ##%")
      .replace(/[\d,]+(?= {2} ##% {2}system prompt)/, (count) => "#".repeat(count.length))
  );
}
