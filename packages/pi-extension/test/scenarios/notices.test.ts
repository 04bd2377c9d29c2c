// @module-tag pi
// Verifies: a model that writes one of our notices is told so, and no file gets it, whatever becomes of the database.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { noticeLine } from "@cm/prompt-grammar";
import { checkStructure, runPrint, type ScriptedAnswer } from "@cm/scripted-models/real-pi";
import { expect, it } from "vitest";
import { versionsNow, withPi } from "../support/with-pi.ts";

const folded = noticeLine({ kind: "left-out", id: "t4", size: { lines: 480 }, file: "m3.ts" });
const writes = (path: string, content: string): ScriptedAnswer => ({
  calls: [{ name: "write", args: { path, content } }],
});

for (const version of versionsNow) {
  withPi(version, "a model that repeats notices", (stages) => {
    it.each([true, false])("is refused, and others are not (with a database: %s)", async (isThere) => {
      const { play, run } = await stages.open(
        [writes("bad.txt", folded), writes("good.txt", "good\n"), { text: "done" }],
        isThere ? {} : { environment: { CM_STORE: "a.txt/objects.sqlite" } },
      );

      const end = await runPrint(run, "write");

      expect(end).toMatchObject({ code: 0, stdout: "done\n", stderr: "" });
      const results = play.requests.at(-1)?.sent.messages.flatMap(({ blocks }) => blocks.filter(isResult)) ?? [];
      expect(results[0]?.text).toMatch(
        /Not run: what it would write is a notice of Context Manager.*cm_context show t4/,
      );
      expect(results.map(({ isError }) => isError === true)).toEqual([true, false]);
      expect(await readFile(join(run.home.workDir, "good.txt"), "utf8")).toBe("good\n");
      await expect(readFile(join(run.home.workDir, "bad.txt"))).rejects.toThrow("ENOENT");
      expect(play.requests.flatMap(checkStructure)).toEqual([]);
    });
  });
}

const isResult = <T extends { readonly kind: string }>(block: T): block is Extract<T, { readonly kind: "result" }> =>
  block.kind === "result";
