import type { PartLife } from "@cm/replay";
import { html, type Markup } from "@cm/report-page";
import { visibleLine } from "@cm/terminal-text";
import { limits } from "../limits.ts";
import type { Ink, Inks } from "../plots/palette.ts";

/** A name from outside, bounded; isolated, so that right-to-left letters do not move what stands beside it. */
export function nameOf(name: string): Markup {
  return html`<bdi>${visibleLine(name, limits.nameCharsMax)}</bdi>`;
}

/** A policy with its colour, the same everywhere in the page. */
export function policyName(policy: string, inks: Inks): Markup {
  return html`${lineSample(inks(policy))}${nameOf(policy)}`;
}

function lineSample({ colour, dashed }: Ink): Markup {
  return html`<span class="line-sample${dashed ? " dashed" : ""}" style="border-color:${colour}"></span>`;
}

/** The id of a session's heading, by its place in the table. */
export function sessionAnchor(at: number): string {
  return `session-${at + 1}`;
}

/** A small way to a session, by its place in the table; only the first sessions have a section to go to. */
export function sessionLink(at: number): Markup | undefined {
  if (at < 0) return undefined;
  const name = `session ${at + 1}`;
  return html`<small>${at < limits.filesDrawnMax ? html`<a href="#${sessionAnchor(at)}">${name}</a>` : name}</small>`;
}

const kindWords: Readonly<Record<PartLife["kind"], string>> = {
  user: "user",
  assistant: "agent",
  arguments: "arguments",
  result: "output",
  recalled: "brought back",
};

/** The name of a part of the log: `output of read src/a.ts`. */
export function partName({ kind, tool, target }: PartLife): Markup {
  const of = tool === undefined ? undefined : html` of ${visibleLine(tool, limits.nameColumnsMax)}`;
  const about = target === undefined ? undefined : html` <bdi>${visibleLine(target, limits.targetCharsMax)}</bdi>`;
  return html`${kindWords[kind]}${of}${about}`;
}
