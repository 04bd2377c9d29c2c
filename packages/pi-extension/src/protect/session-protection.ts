import type { Protection } from "@cm/render";
import type { PiSide } from "../pi/pi-side.ts";
import { protectEntry, protectionIn, protectType } from "./protect-entry.ts";

/** What is protected in one session of Pi: by the settings as they are for its model, and by what a person said in it. */
export class SessionProtection {
  readonly #bySettings: () => Protection;
  readonly #side: Pick<PiSide, "append">;
  #said: Protection;
  #all: { readonly of: string; readonly protection: Protection } | undefined;

  constructor(bySettings: () => Protection, side: Pick<PiSide, "append" | "entries">) {
    this.#bySettings = bySettings;
    this.#side = side;
    this.#said = protectionIn(side.entries());
  }

  get bySettings(): Protection {
    return this.#bySettings();
  }

  /** What was said in the session alone. */
  get said(): Protection {
    return this.#said;
  }

  /** Both together: the same object until something else is protected. */
  get all(): Protection {
    const protection = together(this.bySettings, this.#said);
    const of = JSON.stringify(protection);
    if (this.#all?.of !== of) this.#all = { of, protection };
    return this.#all.protection;
  }

  /** From now on, also after the session is resumed: Pi's file keeps it. */
  say(protection: Protection): void {
    this.#side.append(protectType, protectEntry(protection));
    this.#said = protection;
  }
}

const together = (one: Protection, other: Protection): Protection => ({
  tools: [...new Set([...one.tools, ...other.tools])],
  // What comes last decides, so what was said in the session may take out what the settings have.
  paths: [...new Set([...one.paths, ...other.paths])],
  prompts: Math.max(one.prompts, other.prompts),
});
