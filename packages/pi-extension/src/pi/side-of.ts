import { GrowingBranch } from "./growing-branch.ts";
import type { PiSide } from "./pi-side.ts";
import type { ExtensionAPI, ExtensionContext } from "./pi-types.ts";

/** Pi's session as managed sessions see it. It holds as long as that session of Pi lives. */
export function sideOf(pi: ExtensionAPI, ctx: ExtensionContext, changed: () => void): PiSide {
  const { sessionManager, cwd } = ctx;
  const branch = new GrowingBranch(sessionManager);
  return {
    ...{ piSession: sessionManager.getSessionId(), cwd, changed },
    begun: sessionManager.getHeader()?.timestamp ?? "",
    leaf: () => sessionManager.getLeafId(),
    branch: () => branch.entries(),
    entries: () => sessionManager.getEntries(),
    isIdle: () => ctx.isIdle(),
    model: () => ctx.model,
    systemPrompt: () => ctx.getSystemPrompt(),
    headChars: () => ctx.getSystemPrompt().length + toolChars(pi),
    append: (type, data) => pi.appendEntry(type, data),
  };
}

/** Declarations as a provider gets them, about. */
function toolChars(pi: ExtensionAPI): number {
  const active = new Set(pi.getActiveTools());
  const declared = pi.getAllTools().filter(({ name }) => active.has(name));
  return declared.reduce((sum, { name, description, parameters }) => {
    return sum + name.length + description.length + JSON.stringify(parameters).length;
  }, 0);
}
