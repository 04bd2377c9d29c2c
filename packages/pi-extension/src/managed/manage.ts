import { defaultPrices, type Layout, type Prices } from "@cm/context-log";
import { layouts } from "@cm/render";
import { shownStore } from "@cm/store-place";
import { mayHaveRun } from "../branch/may-have-run.ts";
import type { SessionFigures } from "../figures/session-figures.ts";
import type { SessionFilesystem } from "../files/filesystem.ts";
import type { NestedFiles } from "../files/nested-files.ts";
import { stepTouches } from "../files/step-touches.ts";
import type { PiSide } from "../pi/pi-side.ts";
import { SessionProtection } from "../protect/session-protection.ts";
import { pricesOf, retentionOf } from "../provider/prices-of.ts";
import type { Settings } from "../settings/settings.ts";
import { ManagedSession } from "./managed-session.ts";
import { openStore } from "./open-store.ts";
import { SteeredPolicy } from "./steered-policy.ts";
import { Steering } from "./steering.ts";

export interface ManageOptions {
  readonly settings: Settings;
  readonly files: SessionFilesystem;
  readonly nested: NestedFiles;
  readonly figures: SessionFigures;
}

/** Puts a session of Pi under management, with everything that it takes. Waits for nothing. */
export function manage(side: PiSide, { settings, files, nested, figures }: ManageOptions): ManagedSession {
  const { redact } = files;
  const protection = new SessionProtection(() => settings.protect, side);
  const policy = new SteeredPolicy(
    () => settings.preset,
    () => protection.all,
  );
  const layout: Layout = settings.layout === "ssot" ? layouts.ssot : { ...layouts.log, policy };
  const prices = (): Prices => {
    const model = side.model();
    return model === undefined ? defaultPrices : pricesOf(model, retentionOf(process.env));
  };
  return new ManagedSession({
    ...{ side, redact, figures, storePlace: shownStore(settings.store) },
    ...(settings.layout === "log" ? { steering: new Steering(policy, protection, prices) } : {}),
    openStore: (watch) => openStore(settings.store, watch),
    sessionOptions() {
      return {
        ...{ sources: [files.source], redact, layout, headChars: side.headChars(), prices: prices() },
        furtherSources: files.furtherSources,
        touchesOf: stepTouches(files, nested),
        mayHaveRun: (callId, answer) => mayHaveRun(side, callId, answer),
        discover: settings.discover,
      };
    },
  });
}
