import type { FilesystemBinding } from "@cm/object-model";
import { fileLimits as limits } from "../limits.ts";
import type { ObserverParts } from "./look-pass.ts";

/**
 * The agent's normal path as a binding. Where the file system does not answer in time, links are left as they are: the
 * binding may then be one that a look answers with "reached through a link".
 */
export async function bind(
  { threads: [thread], places, avoided }: ObserverParts,
  agentPath: string,
): Promise<FilesystemBinding> {
  let binding = places.bindingOf(agentPath);
  const local = places.localPathOf(binding);
  if ("path" in local && avoided.has(local.path)) return binding;
  await thread.run(
    { kind: "bind", agentPath },
    {
      onReply: (reply) => {
        if ("bind" in reply) binding = reply.bind.binding;
      },
      onStuck: () => {
        if ("path" in local) avoided.add(local.path);
      },
    },
    { deadlineMs: limits.bindMs },
  );
  return binding;
}
