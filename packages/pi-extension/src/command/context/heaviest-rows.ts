import type { ContextView, ViewObject } from "@cm/context-log";
import type { ShownPart } from "@cm/render";
import { counted, countText } from "@cm/terminal-text";
import { objectName } from "../../folded/object-name.ts";
import { tokenCount } from "../../text/token-count.ts";
import { commandLimits } from "../command-limits.ts";

/** What is less than this share of the prompt, also in full, is not worth a row. */
const shareMin = 0.01;

interface Weighed {
  readonly object: ViewObject;
  readonly chars: number;
  readonly texts: readonly ShownPart[];
}

/** Objects by what they take of the prompt, the heaviest first: `3,210  f3   src/a.ts   in full, 2 texts`. */
export function heaviestRows(view: ContextView, parts: readonly ShownPart[], cwd: string): readonly string[] {
  const all = parts.reduce((sum, { chars }) => sum + chars, 0);
  const heaviest = weighed(view, parts)
    .filter(({ texts }) => texts.reduce((sum, { fullChars }) => sum + fullChars, 0) >= shareMin * all)
    .slice(0, commandLimits.heaviestMax);
  const aliasColumns = Math.max(0, ...heaviest.map(({ object }) => object.alias.length));
  const names = heaviest.map(({ object }) => objectName(object, cwd, commandLimits.nameColumnsMax));
  const nameColumns = Math.max(0, ...names.map((name) => name.length));
  return heaviest.map(({ object, chars, texts }, place) =>
    [
      countText(tokenCount(chars)).padStart(9),
      object.alias.padEnd(aliasColumns),
      (names[place] ?? "").padEnd(nameColumns),
      standing(texts, view.sets.pinned.has(object.id)),
    ].join("  "),
  );
}

function weighed(view: ContextView, parts: readonly ShownPart[]): readonly Weighed[] {
  const byObject = new Map<string, ShownPart[]>();
  for (const part of parts) {
    if (part.object === undefined) continue;
    const known = byObject.get(part.object) ?? [];
    known.push(part);
    byObject.set(part.object, known);
  }
  return [...byObject]
    .flatMap(([id, texts]) => {
      const object = view.objects.get(id);
      return object === undefined ? [] : [{ object, texts, chars: texts.reduce((sum, { chars }) => sum + chars, 0) }];
    })
    .sort((a, b) => b.chars - a.chars);
}

/** How much of an object's text stands; arguments only where nothing else does. */
function standing(texts: readonly ShownPart[], isPinned: boolean): string {
  const outputs = texts.filter(({ kind }) => kind !== "arguments");
  const judged = outputs.length === 0 ? texts : outputs;
  const full = judged.filter(({ form }) => form === "full" || form === "sparse").length;
  const folded = judged.filter(({ form }) => form === "reference").length;
  const words = full === judged.length ? "in full" : folded === judged.length ? "folded" : "in part";
  const times = outputs.length > 1 ? `, ${counted(outputs.length, "read")}` : "";
  const left = texts.reduce((sum, { fullChars, chars }) => sum + fullChars - chars, 0);
  const more = words === "in full" || left === 0 ? times : `, ${countText(tokenCount(left))} left out`;
  return `${words}${more}${isPinned ? ", pinned" : ""}`;
}
