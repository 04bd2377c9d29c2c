// @module-tag pi
// Verifies: SSOT 5.12: in a real Pi the model has the tools and people have /cm, over rpc.
import { contextToolName } from "@cm/context-tool";
import { checkStructure, openRpc, type Play } from "@cm/scripted-models/real-pi";
import { expect, it } from "vitest";
import { readsTwice, sameAsBefore } from "../support/repeated-reads.ts";
import { resultsIn, textOf } from "../support/texts.ts";
import { versionsFor, withPi } from "../support/with-pi.ts";

const alpha = textOf("alpha");
const script = [
  ...readsTwice("a.txt"),
  { calls: [{ name: "cm_context", args: { action: "list" } }] },
  {
    calls: [
      { name: "cm_context", args: { action: "pin", id: "a.txt" } },
      { name: "cm_context", args: { action: "show", ids: ["t1", "f99"] } },
      { name: "cm_context", args: { action: "show", id: "f99" } },
      { name: "cm_context", args: { action: "explode" } },
    ],
  },
  { text: "Done." },
  { text: "Raw." },
  { text: "Managed again." },
];

const formats = { "0.87.1": "anthropic-messages", "1.5.2": "openai-responses" } as const;

/** OpenAI's formats do not say that a result is an error. */
const errorsIn = { "0.87.1": [false, false, false, true, true], "1.5.2": [false, false, false, false, false] } as const;

for (const version of versionsFor("0.87.1")) {
  const errors = errorsIn[version];
  withPi(version, `the context manager with ${formats[version]}`, (stages) => {
    it("serves the model's tools and people's /cm, and is switched off and on", async () => {
      const { play, run } = await stages.open(script, { format: formats[version] }, { files: { "a.txt": alpha } });
      const rpc = await openRpc(run);

      await rpc.prompt("Look at a.txt.");
      const [listed, pinned, shownAgain, unknown, refused] = results(play).slice(2);
      const rows = ["t1 read a.txt: 40 lines, in view", "f1 a.txt: 40 lines, in view"];
      expect(listed?.text.split("\n")).toEqual(expect.arrayContaining(rows));
      expect(pinned?.text).toMatch(/^a\.txt: pinned/m);
      expect(shownAgain?.text).toMatch(
        /^1 of 2 shown\.\nf99: .*\nOutput of read a\.txt \(t1\), all 40 lines:\nalpha line 0: /m,
      );
      expect(unknown?.text).toMatch(/^f99: /m);
      expect(refused?.text).toMatch(/Validation failed[\s\S]*action: /);
      expect([listed, pinned, shownAgain, unknown, refused].map((result) => result?.isError === true)).toEqual(errors);
      expect(toolsOf(play)).toEqual(["read", "bash", "edit", "write", contextToolName]);
      expect(rpc.status("cm")).toMatch(/^cm (on|saved about .*% of input\) · [\d.]+k tokens.*)$/);

      for (const line of ["status", "objects", "show t1", "history t1", "doctor"]) await rpc.command(`/cm ${line}`);
      const [status, objects, shown, history, doctor] = rpc.notices.slice(-5);
      expect(status).toMatch(/^state +on$/m);
      expect(objects).toMatch(/^f1 a\.txt [\d,]+ tokens in full pinned$/m);
      expect(shown).toContain(`\n\n${alpha}`);
      expect(history).toMatch(/Z {2}[\d,]+ tokens$/);
      expect(doctor).toContain(`ok    pi        ${version}`);
      expect(doctor).not.toMatch(/^(look|bad) +(node|pi|settings|store|answer|health|access|file|folder) /m);

      await rpc.command("/cm off");
      await rpc.prompt("And raw?");
      expect(rpc.status("cm")).toBe("cm off");
      expect(resultsIn(play.requests.at(-1)).slice(0, 2)).toEqual([alpha, alpha]);
      expect(toolsOf(play)).toEqual(["read", "bash", "edit", "write"]);
      expect(play.requests.at(-1)?.sent.system).not.toContain(contextToolName);

      await rpc.command("/cm on");
      await rpc.prompt("And managed?");
      expect(resultsIn(play.requests.at(-1)).slice(0, 2)).toEqual([alpha, expect.stringMatching(sameAsBefore)]);
      expect(toolsOf(play)).toEqual(["read", "bash", "edit", "write", contextToolName]);

      const end = await rpc.close();
      expect({ code: end.code, errors: rpc.extensionErrors, said: play.requests.flatMap(checkStructure) }).toEqual({
        code: 0,
        errors: [],
        said: [],
      });
      expect(rpc.records.filter(({ type }) => type === "not_a_record")).toEqual([]);
    });
  });
}

/** Tool results of the newest request, in order. */
function results(play: Play) {
  const blocks = play.requests.at(-1)?.sent.messages.flatMap((message) => message.blocks) ?? [];
  return blocks.filter((block) => block.kind === "result");
}

const toolsOf = (play: Play) => play.requests.at(-1)?.sent.tools.map(({ name }) => name);
