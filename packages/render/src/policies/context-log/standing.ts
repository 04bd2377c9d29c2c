import type { ContextView, PartForm } from "@cm/object-model";
import type { Clock } from "./clocks.ts";
import { alive, spareByFloor } from "./floor.ts";
import { charsIn, type OpenParts, openPartsOf } from "./open-parts.ts";
import { isFileText, type LogParts, type Part } from "./parts.ts";
import type { ContextLogSettings } from "./presets.ts";

/** A part that may be folded: how it stands in the prompt that was sent last, and whether anybody still needs it. */
export interface Standing {
  readonly part: Part;
  readonly form: PartForm | undefined;
  readonly chars: number;
  /** Characters of the prompt before it. */
  readonly before: number;
  /** How far the clock has run, as a share of its limit. */
  readonly run: number;
  /** The step at which the clock runs down, which may lie ahead. */
  readonly clockEndsAt: number;
  /** The step since which it is dead; infinite while it lives. */
  deadSince: number;
  /** Neither pinned, nor pointed at by a living part, nor bound: a fold behind whose cut it stands may take it along. */
  isFree: boolean;
  /** Somebody wants it to stay in full: only a window may fold it. */
  readonly isProtected: boolean;
}

/** The prompt as it would be without a fold. */
export interface Ground {
  readonly chars: number;
  /** Characters of the parts that were sent before; what follows is new and is written anyway. */
  readonly sentChars: number;
  /** The parts that may be folded, in order of the log: few, since what is folded stays folded. */
  readonly open: readonly Standing[];
}

/** Steps before which not even a dismissed part is dead: the newest calls are always whole. */
export const youngestDead = 2;

export const isDead = (standing: Standing): boolean => standing.deadSince !== alive;

export interface GroundOptions {
  /** Forms of parts that are new in this request. */
  readonly begins: ReadonlyMap<string, PartForm>;
  readonly settings: ContextLogSettings;
}

/** Measures the log and says what of it is dead: by its clock, unless the floor, a pin or what points at it keeps it. */
export function groundOf(view: ContextView, log: LogParts, options: GroundOptions): Ground {
  const sent = openPartsOf(view, log);
  const begun = begunParts(view, sent, options.begins);
  const { settings } = options;
  const { without, protection } = settings;
  const open: Standing[] = [];
  let next = 0;
  let begunSaved = 0;
  for (const stood of sent.open) {
    const { part, place, savedBefore } = stood;
    while (next < begun.length && (begun[next]?.place ?? 0) < place) begunSaved += begun[next++]?.saves ?? 0;
    const now = begun[next]?.place === place ? begun[next] : undefined;
    const { form, chars } = now ?? stood;
    const before = part.before - savedBefore - begunSaved;
    if (form?.form === "reference") continue;
    stood.clock.update(log, settings);
    const isProtected = protection.by(part, log, view.turn) !== undefined;
    open.push(standingOf(view, { part, form, chars, before, isProtected }, { clock: stood.clock, settings }));
  }
  const saved = begun.reduce((sum, { saves }) => sum + saves, sent.saved);
  const savedInNew = savedSince(view, log, { sent, begun });
  settle(view, log, open);
  spareByFloor(
    open.filter(({ part }) => isFileText(part)),
    {
      floorChars: settings.floor * log.plainChars,
      rankOf: without.has("worth") ? ({ run }) => run : (standing) => rankOf(log, standing),
      mayLive: ({ part }) => !settings.foldsNow && !isMember(view, "dismissed", { log, part }),
    },
  );
  const chars = log.chars - saved;
  return { chars, sentChars: chars - (log.charsSince(view.step) - savedInNew), open };
}

/** A part whose form begins with this request, and what it saves beside what it saved before. */
interface BegunPart {
  readonly place: number;
  readonly form: PartForm;
  readonly chars: number;
  readonly saves: number;
}

/** In order of the log. */
function begunParts(view: ContextView, sent: OpenParts, begins: ReadonlyMap<string, PartForm>): readonly BegunPart[] {
  return [...begins]
    .flatMap(([key, form]): BegunPart[] => {
      const place = sent.placeOf(key);
      const part = place === undefined ? undefined : sent.partAt(place);
      if (place === undefined || part === undefined) return [];
      const chars = charsIn(view, part, form);
      return [{ place, form, chars, saves: part.chars - chars - sent.savedBy(place) }];
    })
    .sort((a, b) => a.place - b.place);
}

/** What the parts save that stand in a request for the first time. */
function savedSince(
  view: ContextView,
  log: LogParts,
  { sent, begun }: { readonly sent: OpenParts; readonly begun: readonly BegunPart[] },
): number {
  let saved = 0;
  let first = log.formable.length;
  while (first > 0 && (log.formable[first - 1]?.step ?? -1) >= view.step) {
    first -= 1;
    saved += sent.savedBy(first);
  }
  return begun.reduce((sum, { place, saves }) => (place >= first ? sum + saves : sum), saved);
}

function standingOf(
  view: ContextView,
  stood: Pick<Standing, "part" | "form" | "chars" | "before" | "isProtected">,
  { clock, settings }: { readonly clock: Clock; readonly settings: ContextLogSettings },
): Standing {
  const { part, form, chars, before, isProtected } = stood;
  // Design 7.5: arguments of the current turn are never folded.
  const bound = part.isArgs && (part.turn >= view.turn || settings.without.has("arguments"));
  const diesAt = settings.foldsNow ? Math.min(clock.deadSince, part.step + youngestDead) : clock.deadSince;
  const deadSince = diesAt <= view.step && !bound ? diesAt : alive;
  const run = (view.step - clock.setAt) / clock.limit;
  const clockEndsAt = clock.deadSince;
  return { part, form, chars, before, run, clockEndsAt, deadSince, isFree: !bound, isProtected };
}

/** A part of so many characters counts as overdue twice over. */
const charsPerRun = 3_000;
/** What each file that was once edited together with a part's own takes off. */
const partnerShare = 1;

/** How far a part is overdue for what it costs to keep it: short parts and files of a plan are spared rather. */
function rankOf(log: LogParts, { part, run, chars }: Standing): number {
  const partners = part.file === undefined ? 0 : log.coEdits.partnerCount(part.file);
  return (run * (1 + chars / charsPerRun)) / (1 + partnerShare * partners);
}

/** Protected and pinned parts live, dismissed ones are dead (design 7.7), and what a living part refers to lives with it. */
function settle(view: ContextView, log: LogParts, open: readonly Standing[]): void {
  const held = new HeldParts();
  for (let index = open.length - 1; index >= 0; index -= 1) {
    const standing = open[index];
    if (standing === undefined) continue;
    const { part, form } = standing;
    if (standing.isProtected) {
      standing.deadSince = alive;
      standing.isFree = false;
    } else if (isMember(view, "dismissed", { log, part })) {
      // It counts as dead since it could be, so that its rent is never less than without the wish. Even then the newest
      // calls stay whole, with what they refer to.
      const since = part.step + youngestDead;
      standing.deadSince = since <= view.step && !held.has(part) ? since : alive;
    } else if (held.has(part) || isMember(view, "pinned", { log, part })) {
      standing.deadSince = alive;
      standing.isFree = false;
    }
    standing.isFree &&= part.step + youngestDead <= view.step;
    if (isDead(standing)) continue;
    if (form?.form === "same") held.add(form.as);
    if (form?.form === "diff") held.add(form.from);
  }
}

/** A part belongs to its own object, and one that shows a file's text to the file as well, or to what stands for it. */
export function isMember(
  view: ContextView,
  name: "dismissed" | "pinned",
  { log, part }: { readonly log: LogParts; readonly part: Part },
): boolean {
  const set = view.sets[name];
  return set.size > 0 && showsAny((id) => set.has(view.objects.get(id)?.id ?? id), { log, part });
}

/** Whether a part shows text of one of some objects. */
export function showsAny(
  has: (id: string) => boolean,
  { log, part }: { readonly log: LogParts; readonly part: Part },
): boolean {
  if (part.object === undefined || part.isArgs) return false;
  if (has(part.object) || part.shows.some(has)) return true;
  if (part.class !== "read" && part.class !== "recalled") return false;
  const id = part.file === undefined ? undefined : log.files.idOf(part.file);
  return id !== undefined && has(id);
}

/** The parts that living ones refer to. Most parts are told apart by their place alone, without a look at their key. */
class HeldParts {
  readonly #keys = new Set<string>();
  readonly #places = new Set<number>();

  add(key: string): void {
    this.#keys.add(key);
    this.#places.add(Number.parseInt(key, 10));
  }

  has({ at, key }: Part): boolean {
    return this.#places.has(at) && this.#keys.has(key);
  }
}
