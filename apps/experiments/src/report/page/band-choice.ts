import type { PartLife, PartState, RunResult } from "@cm/replay";
import { html, type Markup } from "@cm/report-page";
import { counted, visibleLine } from "@cm/terminal-text";
import { grouped } from "../../numbers.ts";
import { limits } from "../limits.ts";
import type { Band } from "../map/bands.ts";
import { type Columns, columnOf } from "../map/columns.ts";
import { arrivalOf, entryOf, reasonOf } from "../map/lives.ts";
import { partName } from "./names.ts";

interface BandSetting {
  readonly run: RunResult;
  /** Name of the group of choices. */
  readonly name: string;
  readonly columns: Columns;
}

/**
 * A band as a choice in a group: a pointer, a finger and the arrow keys all reach it without a script, and the group is
 * one stop for Tab. What it says stands beside the band's beginning, where the map is empty.
 */
export function bandChoice(band: Band, { run, name, columns }: BandSetting): Markup {
  const { parts, top, height } = band;
  const start = columnOf(Math.min(...parts.map(arrivalOf)), columns) / columns.count;
  const side = start < 0.5 ? "after" : "before";
  const edge = `--start:${percentOf(start)};top:${percentOf(top)};height:${percentOf(height)}`;
  return html`<label class="band ${side}${top > 0.7 ? " low" : ""}" style="${edge}"><input type="radio" name="${name}"><span class="tip">${told(parts, run)}</span></label>
`;
}

function told(parts: readonly PartLife[], run: RunResult): Markup {
  const [first] = parts;
  if (first === undefined) return html``;
  return parts.length === 1 ? partText(first, run) : groupText(parts);
}

function partText(part: PartLife, { calls }: RunResult): Markup {
  const { forms, chars } = part;
  const shown = forms.slice(0, limits.bandFormsMax);
  const more = forms.length - shown.length;
  return html`<b>${partName(part)}</b> <span class="quiet">entry ${grouped(entryOf(part))}, ${counted(chars, "character")}</span>
${shown.map((stand) => stateMarkup(stand, reasonOf(stand, calls)))}${more > 0 ? html`<span class="stand">and ${counted(more, "more form")}</span>` : undefined}`;
}

function stateMarkup({ call, form, chars }: PartState, reason: string | undefined): Markup {
  const why = reason === undefined ? undefined : html`: ${visibleLine(reason, limits.nameCharsMax)}`;
  return html`<span class="stand">call ${grouped(call + 1)} <b>${visibleLine(form, 20)}</b>, ${grouped(chars)}${why}</span>`;
}

/** Several parts: how many of which tool, the largest by name. */
function groupText(parts: readonly PartLife[]): Markup {
  const entries = parts.map(entryOf);
  const chars = parts.reduce((sum, part) => sum + part.chars, 0);
  const largest = parts.reduce((most, part) => (part.chars > most.chars ? part : most));
  return html`<b>${counted(parts.length, "part")}</b> <span class="quiet">entries ${grouped(Math.min(...entries))} to ${grouped(Math.max(...entries))}, ${counted(chars, "character")} together</span>
<span class="stand">${kindsOf(parts)}</span><span class="stand">largest: ${partName(largest)}, ${grouped(largest.chars)}</span>`;
}

function kindsOf(parts: readonly PartLife[]): string {
  const groups = [
    ...Map.groupBy(parts, ({ kind, tool }) => `${tool === undefined ? "" : `${visibleLine(tool, 30)} `}${kind}`),
  ];
  const ordered = groups.toSorted(([, a], [, b]) => b.length - a.length);
  const named = ordered.slice(0, limits.bandFormsMax).map(([kind, group]) => `${group.length} × ${kind}`);
  const more = ordered.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more kinds`] : [])].join(", ");
}

const percentOf = (value: number): string => `${Math.round(value * 10_000) / 100}%`;
