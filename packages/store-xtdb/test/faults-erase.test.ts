// @module-tag xtdb
// @module-tag long
// Verifies: F3, T7: an erasure that broke off is finished by its repetition, also where the same text was written meanwhile.
import { chatId, type ObjectDocument, sealDocument } from "@cm/object-model";
import { expect, it } from "vitest";
import { canary } from "./support/fault-script.ts";
import { codeOf, withFaultyNode } from "./support/faulty-store.ts";
import { campaign } from "./support/random.ts";

/** Two tool calls with the same text. */
const sharing = (id: string): ObjectDocument =>
  sealDocument(
    { type: "toolcall", id },
    { content: `${canary} shared`, tool: "bash", args: {}, status: "ok", chat_ref: chatId("s1") },
  );

withFaultyNode("an erasure that breaks off", (node) => {
  it("takes a text that was written on the way, after being repeated", async () => {
    const left: string[] = [];
    for (let nth = 1; nth <= 12; nth += campaign ? 1 : 4) {
      const { faulty, clean } = node.open(500);
      await clean.commit([{ document: sharing("call_a"), expect: "absent" }]);
      await node.proxy.plan([
        { fault: "late", method: "POST", path: /\/submit-tx$/ },
        { fault: "reset", method: "POST", path: /\/query$/, nth, times: 50 },
      ]);

      const erasing = faulty.erase(["call_a"], "a reason").then(
        () => "erased",
        (error: unknown) => codeOf(error),
      );
      // On a busy machine its time may be up before it meets either.
      let isOver = false;
      void erasing.then(() => {
        isOver = true;
      });
      const isHit = () => node.proxy.seen.some(({ fault }) => fault === "late" || fault === "reset");
      await expect.poll(() => isOver || isHit(), { interval: 1 }).toBe(true);
      await clean.commit([{ document: sharing("call_b"), expect: "absent" }]);
      const outcome = await erasing;
      await node.proxy.plan([]);
      await node.proxy.settled();
      await clean.erase(["call_a"], "a reason");

      const other = (await clean.getMany(["call_b"])).get("call_b");
      if (other?.erased === undefined) left.push(`query ${nth}: ${outcome}, and call_b still has the text`);
      await faulty.close();
      await clean.close();
    }

    expect(left).toEqual([]);
  });
});
