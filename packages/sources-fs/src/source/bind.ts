import type { FilesystemBinding } from "@cm/object-model";
import { fileLimits as limits } from "../limits.ts";
import type { ObserverContext } from "./scan-pass.ts";

/**
 * The agent's normal paths as bindings, in order. Where the file system does not answer in time, links are left as they
 * are: the binding may then be one that a scan answers with "reached through a link".
 */
export async function bind(
  { threads: [thread], places, avoided }: ObserverContext,
  agentPaths: readonly string[],
): Promise<readonly FilesystemBinding[]> {
  const unresolved = agentPaths.map((path) => places.bindingOf(path));
  const localOf = (place: number): string | undefined => {
    const binding = unresolved[place];
    const local = binding === undefined ? undefined : places.localPathOf(binding);
    return local !== undefined && "path" in local ? local.path : undefined;
  };
  const asked = [...agentPaths.keys()].filter((place) => {
    const path = localOf(place);
    return path === undefined || !avoided.has(path);
  });
  const bound: FilesystemBinding[] = [];
  if (asked.length > 0) {
    await thread.run(
      { kind: "bind", agentPaths: asked.map((place) => agentPaths[place] ?? "") },
      {
        onReply: (reply) => {
          if ("bind" in reply) bound.push(...reply.bind.bindings);
        },
        onStuck: (at) => {
          const path = localOf(asked[at] ?? -1);
          if (path !== undefined) avoided.add(path);
        },
      },
      { deadlineMs: limits.bindMs },
    );
  }
  const answers = new Map(asked.map((place, at) => [place, bound[at]]));
  return unresolved.map((binding, place) => answers.get(place) ?? binding);
}
