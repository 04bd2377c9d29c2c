// @module-tag pi
// Verifies: SSOT 5.12: in print and json modes nothing of ours is printed, and the process ends as without us.
import { runJson, runPrint } from "@cm/scripted-models/real-pi";
import { expect, it } from "vitest";
import { readsTwice, sameAsBefore } from "../support/repeated-reads.ts";
import { resultsIn, textOf } from "../support/texts.ts";
import { versionsNow, withPi } from "../support/with-pi.ts";

const script = [...readsTwice("a.txt"), { text: "It says alpha." }, { text: "It does." }];
const files = { "a.txt": textOf("alpha") };
const prompts = ["What does a.txt say?", "/cm status", "/cm nonsense", "Does it?"];

for (const version of versionsNow)
  withPi(version, "without a place to show something, the context manager", (stages) => {
    it("leaves print and json modes to the program that reads them", async () => {
      const opened = () => stages.open(script, {}, { files });
      const [first, second] = await Promise.all([opened(), opened()]);
      const [print, json] = await Promise.all([runPrint(first.run, ...prompts), runJson(second.run, ...prompts)]);

      expect({ code: print.code, stdout: print.stdout, stderr: print.stderr }).toEqual({
        code: 0,
        stdout: "It does.\n",
        stderr: "",
      });
      expect({ code: json.code, stderr: json.stderr }).toEqual({ code: 0, stderr: "" });
      expect(json.stdout).not.toContain("extension_");
      for (const { play } of [first, second]) {
        expect(play.requests).toHaveLength(4);
        expect(resultsIn(play.requests.at(-1))).toEqual([files["a.txt"], expect.stringMatching(sameAsBefore)]);
      }
    });
  });
