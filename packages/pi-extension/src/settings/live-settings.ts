import type { ReadSettings } from "./read-settings.ts";
import type { Settings } from "./settings.ts";

/**
 * Settings as they are now: what may differ by model follows the model that runs, so that a switch counts from the next
 * request on. All else stays as the session began with it. A copy of the object would not follow.
 */
export function liveSettings(read: ReadSettings, model: () => string | undefined): Settings {
  const now = (): Settings => read.forModel(model());
  const { preset: _, notices: __, protect: ___, ...fixed } = now();
  return {
    ...fixed,
    get preset() {
      return now().preset;
    },
    get notices() {
      return now().notices;
    },
    get protect() {
      return now().protect;
    },
  };
}
