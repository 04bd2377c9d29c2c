import type { Renderer } from "@cm/context-log";
import { rendererFor as libraryRendererFor } from "@cm/render";
import { clearingLayout } from "./opponents/clearing-layout.ts";
import { piCompactionLayout } from "./opponents/pi-compaction-layout.ts";

/** Layouts of this app alone. Like the library's they stay, to rebuild old prompts. */
const renderers: readonly Renderer[] = [clearingLayout, piCompactionLayout];

/** The renderer that wrote a recorded prompt, of the library or of this app; undefined for an unknown layout. */
export function rendererFor(layout: string): Renderer | undefined {
  return libraryRendererFor(layout) ?? renderers.find((renderer) => renderer.layout === layout);
}
