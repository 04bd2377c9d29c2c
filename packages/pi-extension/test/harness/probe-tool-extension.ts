// An extension that tests load into Pi with -e: the one tool that conversations of `harness/1` call. What it does stands
// in its arguments.
import { once } from "node:events";
import { existsSync, watch } from "node:fs";
import { join } from "node:path";
import { probeResult, probeTool } from "@cm/testkit";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";
import { plainCallId } from "./plain-ids.ts";

export default function probeToolExtension(pi: ExtensionAPI): void {
  pi.registerTool({
    name: probeTool,
    label: probeTool,
    description: "Gives what its arguments say.",
    parameters: Type.Object({ say: Type.String() }, { additionalProperties: true }),
    async execute(callId, args, _signal, _onUpdate, { cwd }) {
      await released(cwd, plainCallId(callId));
      if ("hang" in args && args.hang === true) await new Promise(() => {});
      const { text, failed, images } = probeResult(JSON.parse(JSON.stringify(args)));
      if (failed) throw new Error(text);
      const pictures = images.map(({ mime: mimeType, base64: data }) => ({ type: "image" as const, data, mimeType }));
      return { content: [{ type: "text", text }, ...pictures], details: undefined };
    },
  });
  pi.on("tool_call", ({ toolName, input }) => {
    if (toolName !== probeTool || !("block" in input) || typeof input.block !== "string") return undefined;
    return { block: true, reason: input.block };
  });
}

/** A call waits as long as the test has a file of its name in the work folder. */
async function released(cwd: string, callId: string): Promise<void> {
  const watcher = watch(cwd);
  while (existsSync(join(cwd, `${callId}.hold`))) await once(watcher, "change");
  watcher.close();
}
