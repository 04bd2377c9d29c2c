// Verifies: issue 8.4 and 8.6: in a real Pi the model has the tools and people have /cm, over rpc.
import { expect, it } from "vitest";
import { checkStructure, openRpc, type Play, piVersions } from "../../../../tools/real-pi/real-pi.ts";
import { toolNames } from "../../src/tools/register-tools.ts";
import { operatingRules } from "../../src/tools/set-tools.ts";
import { withPi } from "../support/with-pi.ts";

const script = [
  { calls: [{ name: "read", args: { path: "a.txt" } }] },
  { calls: [{ name: "list_objects", args: {} }] },
  {
    calls: [
      { name: "pin", args: { id: "t1" } },
      { name: "activate", args: { id: ["t1", "f99"] } },
      { name: "list_objects", args: { level: "everything" } },
    ],
  },
  { text: "Done." },
  { text: "Raw." },
  { text: "Managed again." },
];

const formats = { "0.87.1": "anthropic-messages", "1.5.2": "openai-responses" } as const;

for (const version of piVersions) {
  withPi(version, `the context manager with ${formats[version]}`, (stages) => {
    it("serves the model's tools and people's /cm, and is switched off and on", async () => {
      const { play, run } = await stages.open(script, { format: formats[version] });
      const rpc = await openRpc(run);

      await rpc.prompt("Look at a.txt.");
      const [listed, pinned, activated, refused] = results(play).slice(1);
      const rows = ["t1 read a.txt 6 chars active", "f1 a.txt 6 chars active"];
      expect(listed?.text.split("\n")).toEqual(expect.arrayContaining(rows));
      expect(pinned?.text).toMatch(/^t1: pinned$/m);
      expect(activated?.text).toMatch(/^t1: .*in view.*\nf99: refused\. This session has not met/m);
      expect(refused?.text).toMatch(/Validation failed[\s\S]*level: /);
      expect(toolsOf(play)).toEqual(expect.arrayContaining([...toolNames]));
      for (const rule of operatingRules) expect(play.requests.at(-1)?.sent.system).toContain(`- ${rule}`);
      expect(rpc.status("cm")).toMatch(/^cm [\d.]+k? tokens · saved -?\d+% · billed \d+%$/);

      for (const line of ["status", "objects", "show t1", "history t1", "doctor"]) await rpc.command(`/cm ${line}`);
      const [status, objects, shown, history, doctor] = rpc.notices.slice(-5);
      expect(status).toMatch(/^state +on$/m);
      expect(objects).toMatch(/^t1 read a\.txt 6 chars active pinned$/m);
      expect(shown).toMatch(/\n\nalpha\n$/);
      expect(history).toMatch(/Z {2}[0-9a-f]{12} {2}6 chars$/);
      expect(doctor).toContain(`ok    pi        ${version}`);
      expect(doctor).not.toMatch(/^(look|bad) +(node|pi|settings|store|answer|health|access|file|folder) /m);

      await rpc.command("/cm off");
      await rpc.prompt("And raw?");
      expect(rpc.status("cm")).toBe("cm off");
      expect(results(play)[0]?.text).toBe("alpha\n");
      expect(toolsOf(play)).toEqual(["read", "bash", "edit", "write"]);
      expect(play.requests.at(-1)?.sent.system).not.toContain("toolcall_ref");

      await rpc.command("/cm on");
      await rpc.prompt("And managed?");
      expect(results(play)[0]?.text).toMatch(/^id=t1\b[\s\S]*\nalpha\n$/);
      expect(toolsOf(play)).toEqual(expect.arrayContaining([...toolNames]));

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
