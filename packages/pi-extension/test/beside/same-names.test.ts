// @module-tag pi
// @module-tag long
// Verifies: a tool or a command of another extension with our name stops neither Pi nor that extension, in either order.
import { contextToolName } from "@cm/context-tool";
import { checkStructure, openRpc, type Play } from "@cm/scripted-models/real-pi";
import { describe, expect, it } from "vitest";
import { readsTwice } from "../support/repeated-reads.ts";
import { resultsIn, textOf } from "../support/texts.ts";
import { withPi } from "../support/with-pi.ts";
import { inOrder, ordersNow, runInOrder } from "./support/load-orders.ts";

const files = { "a.txt": textOf("alpha") };

const withTool = `export default (pi) => {
  pi.registerTool({
    name: "${contextToolName}",
    label: "theirs",
    description: "Their tool.",
    parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [{ type: "text", text: "theirs answered" }] }),
  });
};
`;

const withCommand = `export default (pi) => {
  pi.registerCommand("cm", { description: "theirs", handler: async (_args, { ui }) => ui.notify("theirs ran", "info") });
};
`;

for (const [version, orders] of ordersNow) {
  withPi(version, "another extension with our names", (stages) => {
    it("are no matter where Pi may not use our tool: it stays as without us", async () => {
      const { play, run } = await stages.open([...readsTwice("a.txt"), { text: "done" }], {}, { files });
      const rpc = await openRpc({ ...run, args: ["--tools", "read"] });

      await rpc.prompt("look");

      expect(toolsOf(play)).toEqual(["read"]);
      expect(rpc.notices.filter((notice) => notice.startsWith("The tool cm_context is not among"))).toHaveLength(1);
      expect(resultsIn(play.requests[2])).toEqual([files["a.txt"], files["a.txt"]]);
      expect((await rpc.close()).code).toBe(0);
    });

    describe.each(orders)("%s", (order) => {
      inOrder(order, "ours, other by -e", "keeps its tool, and we stay off with one notice", async () => {
        const theirs = { calls: [{ name: contextToolName, args: {} }] };
        const script = [theirs, ...readsTwice("a.txt"), { text: "done" }];
        const { play, run } = await stages.open(script, {}, { files });
        const rpc = await openRpc(await runInOrder(run, order, withTool));

        await rpc.prompt("use it");
        await rpc.command("/cm on");
        await rpc.prompt("and again?");

        expect(toolsOf(play).filter((name) => name === contextToolName)).toHaveLength(1);
        const results = ["theirs answered", files["a.txt"], files["a.txt"]];
        expect(play.requests.slice(3).map(resultsIn)).toEqual([results, results]);
        expect(JSON.stringify(play.requests.map(({ body }) => body))).not.toContain("[cm: ");
        expect(rpc.notices.filter((notice) => notice.startsWith("Another extension has a tool named"))).toHaveLength(2);
        expect(rpc.status("cm")).toBe("cm off");
        expect(rpc.extensionErrors).toEqual([]);
        expect((await rpc.close()).code).toBe(0);
      });

      inOrder(order, "ours installed", "keeps its command, and ours goes by another name", async () => {
        const { play, run } = await stages.open([
          { calls: [{ name: "read", args: { path: "a.txt" } }] },
          { text: "done" },
        ]);
        const rpc = await openRpc(await runInOrder(run, order, withCommand));

        await rpc.prompt("look");
        for (const line of ["/cm:1", "/cm:2"]) await rpc.command(line);

        expect(toolsOf(play)).toContain(contextToolName);
        expect(rpc.notices.filter((notice) => notice === "theirs ran")).toHaveLength(1);
        expect(rpc.notices.filter((notice) => /^state +on$/m.test(notice))).toHaveLength(1);
        expect(rpc.extensionErrors).toEqual([]);
        expect(play.requests.flatMap(checkStructure)).toEqual([]);
        expect((await rpc.close()).code).toBe(0);
      });
    });
  });
}

const toolsOf = (play: Play): readonly string[] => play.requests.at(-1)?.sent.tools.map(({ name }) => name) ?? [];
