import { defaultPrices, type Layout } from "@cm/object-model";
import { contextLogPolicy, layouts } from "@cm/render";
import type { SessionFigures } from "../figures/session-figures.ts";
import type { SessionFilesystem } from "../files/filesystem.ts";
import type { NestedFiles } from "../files/nested-files.ts";
import { stepTouches } from "../files/step-touches.ts";
import { pricesOf, retentionOf } from "../provider/prices-of.ts";
import type { Settings } from "../settings/settings.ts";
import { ManagedSession } from "./managed-session.ts";
import { openStore, placeOf } from "./open-store.ts";
import type { PiSide } from "./pi-side.ts";

export interface ManageOptions {
  readonly settings: Settings;
  readonly files: SessionFilesystem;
  readonly nested: NestedFiles;
  readonly figures: SessionFigures;
}

/** Puts a session of Pi under management, with everything that it takes. Waits for nothing. */
export function manage(side: PiSide, { settings, files, nested, figures }: ManageOptions): ManagedSession {
  const { redact } = files;
  return new ManagedSession({
    ...{ side, redact, figures, storePlace: placeOf(settings.store) },
    openStore: (watch) => openStore(settings.store, watch),
    lineOptions() {
      const model = side.model();
      return {
        ...{ sources: [files.source], redact, layout: layoutOf(settings), headChars: side.headChars() },
        prices: model === undefined ? defaultPrices : pricesOf(model, retentionOf(process.env)),
        touchesOf: stepTouches(files, nested),
        discover: settings.discover,
      };
    },
  });
}

function layoutOf({ layout, preset }: Settings): Layout {
  return layout === "ssot" ? layouts.ssot : { ...layouts.log, policy: contextLogPolicy({ preset }) };
}
