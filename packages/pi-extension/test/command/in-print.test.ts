// Verifies: issue 8.6: in print and json modes nothing of ours is printed, and the process ends as without us.
import { expect, it } from "vitest";
import { runJson, runPrint } from "../../../../tools/real-pi/real-pi.ts";
import { versionsNow, withPi } from "../support/with-pi.ts";

const script = [
  { calls: [{ name: "read", args: { path: "a.txt" } }] },
  { text: "It says alpha." },
  { text: "It does." },
];
const prompts = ["What does a.txt say?", "/cm status", "/cm nonsense", "Does it?"];

for (const version of versionsNow)
  withPi(version, "without a place to show something, the context manager", (stages) => {
    it("leaves print and json modes to the program that reads them", async () => {
      const stage = await Promise.all([stages.open(script), stages.open(script)]);
      const [print, json] = await Promise.all([runPrint(stage[0].run, ...prompts), runJson(stage[1].run, ...prompts)]);

      expect({ code: print.code, stdout: print.stdout, stderr: print.stderr }).toEqual({
        code: 0,
        stdout: "It does.\n",
        stderr: "",
      });
      expect({ code: json.code, stderr: json.stderr }).toEqual({ code: 0, stderr: "" });
      expect(json.stdout).not.toContain("extension_");
      for (const { play } of stage) {
        expect(play.requests).toHaveLength(3);
        expect(JSON.stringify(play.requests.at(-1)?.sent.messages)).toContain("id=t1");
      }
    });
  });
