import { defaultPrices } from "@cm/object-model";
import { contextLogPolicy, type LayoutPreset, layouts } from "@cm/render";
import { createRedactor } from "@cm/sources-fs";
import { pricesOf, retentionOf } from "../provider/prices-of.ts";
import type { Settings } from "../settings/settings.ts";
import { ManagedSession } from "./managed-session.ts";
import { openStore, placeOf } from "./open-store.ts";
import type { PiSide } from "./pi-side.ts";

/** Puts a session of Pi under management, with everything that it takes. Waits for nothing. */
export function manage(side: PiSide, settings: Settings): ManagedSession {
  const redact = createRedactor();
  return new ManagedSession({
    ...{ side, redact, storePlace: placeOf(settings.store) },
    openStore: () => openStore(settings.store),
    lineOptions() {
      const model = side.model();
      return {
        ...{ sources: [], redact, preset: presetOf(settings), headChars: side.headChars() },
        prices: model === undefined ? defaultPrices : pricesOf(model, retentionOf(process.env)),
        touchesOf: () => [],
      };
    },
  });
}

function presetOf({ layout, preset }: Settings): LayoutPreset {
  return layout === "ssot" ? layouts.ssot : { ...layouts.log, policy: contextLogPolicy({ preset }) };
}
