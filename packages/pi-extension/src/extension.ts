import { coolDownStoreThread } from "@cm/store-sqlite/warm-up";
import { Attachment, settingsAtLoad } from "./attachment.ts";
import { registerCommand } from "./command/register-command.ts";
import { handleCompaction } from "./compaction/handle-compaction.ts";
import { nestedCallOf } from "./messages/nested-call.ts";
import type { ExtensionAPI } from "./pi/pi-types.ts";
import { settingFlags } from "./settings/setting-flags.ts";
import { refusedCall } from "./tools/refused-call.ts";

/**
 * Joins the parts to Pi's events. Switched off for this run of Pi nothing is registered. Switched off by a file there is
 * still `/cm`, which can bring it back; what goes to models is as without us.
 */
export function contextManager(pi: ExtensionAPI): void {
  const { off, offBy } = settingsAtLoad();
  if (off) coolDownStoreThread();
  if (off && offBy === "run") return;
  const attachment = new Attachment(pi);
  for (const [name, flag] of Object.entries(settingFlags)) pi.registerFlag(name, flag);
  registerCommand(pi, attachment);
  handleCompaction(pi, attachment);

  pi.on("session_start", (_event, ctx) => attachment.attach(ctx));
  pi.on("session_shutdown", () => attachment.leave());
  pi.on("session_tree", () => void attachment.managed()?.catchUp());
  pi.on("context", ({ messages }) => {
    // A list that differs: Pi then puts all that it says as the system before it, and not in between.
    const [first, ...others] = attachment.isEnabled() ? messages : [];
    return first === undefined ? undefined : { messages: [{ ...first }, ...others] };
  });
  // Behind all handlers of `context`, whatever was loaded first: what these made of messages is what is sent.
  pi.on("context_with_system", async ({ messages }, ctx) => {
    const [head, others] = besideSystem(messages);
    const managed = await attachment.messagesFor(others, ctx);
    return managed === undefined ? undefined : { messages: [...head, ...managed] };
  });
  pi.on("tool_call", refusedCall);
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

/** What Pi says as the system stands first. */
function besideSystem<T extends { readonly role: string }>(messages: readonly T[]): readonly [head: T[], others: T[]] {
  const first = messages.findIndex(({ role }) => role !== "system");
  const end = first === -1 ? messages.length : first;
  return [messages.slice(0, end), messages.slice(end)];
}
