import { coolDownStoreThread } from "@cm/store-sqlite/warm-up";
import { Attachment, settingsAtLoad } from "./attachment.ts";
import { registerCommand } from "./command/register-command.ts";
import { handleCompaction } from "./compaction/handle-compaction.ts";
import { nestedCallOf } from "./pi/nested-call.ts";
import type { ExtensionAPI } from "./pi/pi-types.ts";
import { settingFlags } from "./settings/setting-flags.ts";
import { registerTools } from "./tools/register-tools.ts";

/** Joins the parts to Pi's events. Switched off from the start nothing is registered: Pi is as without us. */
export function contextManager(pi: ExtensionAPI): void {
  if (settingsAtLoad().off) {
    coolDownStoreThread();
    return;
  }
  const attachment = new Attachment(pi);
  for (const [name, flag] of Object.entries(settingFlags)) pi.registerFlag(name, flag);
  registerTools(pi, attachment);
  registerCommand(pi, attachment);
  handleCompaction(pi, attachment);

  pi.on("session_start", (_event, ctx) => attachment.attach(ctx));
  pi.on("session_shutdown", () => attachment.leave());
  pi.on("session_tree", () => void attachment.managed()?.catchUp());
  pi.on("context", async ({ messages }, ctx) => {
    const managed = await attachment.messagesFor(messages, ctx);
    return managed === undefined ? undefined : { messages: managed };
  });
  pi.on("before_provider_request", ({ payload }) => attachment.payloadFor(payload));
  pi.on("message_start", ({ message }) => {
    if (message.role === "assistant") attachment.prepare();
  });
  pi.on("tool_result", (event) => {
    const nested = nestedCallOf(event);
    if (nested !== undefined) attachment.nestedCall(nested.parent, nested.call);
  });
  pi.on("turn_end", (_event, ctx) => attachment.turnEnded(ctx));
  pi.on("agent_end", () => attachment.managed()?.settle());
}
