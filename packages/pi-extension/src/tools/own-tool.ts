import { contextToolName } from "@cm/context-tool";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { contextToolFor } from "./context-tool.ts";
import type { ToolHost } from "./tool-host.ts";

type ToolsOfPi = Pick<ExtensionAPI, "registerTool" | "getAllTools" | "getActiveTools" | "setActiveTools">;

const taken = `Another extension has a tool named ${contextToolName}, so Context Manager is off: its notices would name the wrong tool. Remove one of the two extensions.`;
const leftOut = `The tool ${contextToolName} is not among the tools that this Pi may use, so Context Manager is off: its notices name that tool. Allow it, such as with --tools.`;

/**
 * Our tool among Pi's. Two extensions that register one name while they are loaded keep Pi from starting, so ours is
 * registered when a session begins: every other extension has its tools by then, and where one has our name it keeps it.
 */
export class OwnTool {
  readonly #pi: ToolsOfPi;
  readonly #host: ToolHost;
  #isRegistered = false;

  constructor(pi: ToolsOfPi, host: ToolHost) {
    this.#pi = pi;
    this.#host = host;
  }

  /** The model has it from the next request on; else a sentence that says why it cannot have it. */
  offer(): string | undefined {
    if (!this.#isRegistered) {
      if (this.#pi.getAllTools().some(({ name }) => name === contextToolName)) return taken;
      this.#pi.registerTool(contextToolFor(this.#host));
      this.#isRegistered = true;
    }
    if (!this.#isActive()) this.#pi.setActiveTools([...this.#pi.getActiveTools(), contextToolName]);
    return this.#isActive() ? undefined : leftOut;
  }

  /** Switched off, Pi offers no tool that could not answer. */
  withdraw(): void {
    if (!this.#isRegistered || !this.#isActive()) return;
    this.#pi.setActiveTools(this.#pi.getActiveTools().filter((name) => name !== contextToolName));
  }

  #isActive(): boolean {
    return this.#pi.getActiveTools().includes(contextToolName);
  }
}
