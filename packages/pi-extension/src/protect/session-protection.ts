import type { Protection } from "@cm/render";
import type { PiSide } from "../managed/pi-side.ts";
import { protectEntry, protectionIn, protectType } from "./protect-entry.ts";

/** What is protected in one session of Pi: by the settings, and by what a person said in it. */
export class SessionProtection {
  readonly bySettings: Protection;
  readonly #side: Pick<PiSide, "append">;
  #said: Protection;
  #all: Protection;

  constructor(bySettings: Protection, side: Pick<PiSide, "append" | "entries">) {
    this.bySettings = bySettings;
    this.#side = side;
    this.#said = protectionIn(side.entries());
    this.#all = together(bySettings, this.#said);
  }

  /** What was said in the session alone. */
  get said(): Protection {
    return this.#said;
  }

  /** Both together: the same object until something else is said. */
  get all(): Protection {
    return this.#all;
  }

  /** From now on, also after the session is resumed: Pi's file keeps it. */
  say(protection: Protection): void {
    this.#side.append(protectType, protectEntry(protection));
    this.#said = protection;
    this.#all = together(this.bySettings, protection);
  }
}

const together = (one: Protection, other: Protection): Protection => ({
  tools: [...new Set([...one.tools, ...other.tools])],
  // What comes last decides, so what was said in the session may take out what the settings have.
  paths: [...new Set([...one.paths, ...other.paths])],
  prompts: Math.max(one.prompts, other.prompts),
});
