// An extension that tests load into Pi with -e, as another author's: it blocks a call, and puts messages into the
// session.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function otherExtension(pi: ExtensionAPI): void {
  pi.on("tool_call", ({ toolName, input }) => {
    const isForbidden = toolName === "bash" && "command" in input && String(input.command).includes("forbidden");
    return isForbidden ? { block: true, reason: "Not allowed here." } : undefined;
  });
  pi.registerCommand("other-say", {
    description: "TEXT: puts a message of its own into the session",
    handler: async (text) => pi.sendMessage({ customType: "other", content: text, display: false }),
  });
}
