import {
  argsPart,
  type ContextView,
  callOfPart,
  type LogEntry,
  type PromptDecision,
  type PromptMessage,
  resultPart,
} from "@cm/context-log";
import { canonicalJson, defined } from "@cm/object-model";
import type { PartLife, PartState } from "../results/run-result.ts";
import { callTarget } from "./call-target.ts";
import type { ViewChange } from "./in-view.ts";
import { recalledChars } from "./recalled-chars.ts";

export interface RequestShown {
  readonly call: number;
  readonly change: ViewChange;
  /** Once the request's decision is in it. */
  readonly view: Pick<ContextView, "log" | "forms">;
  readonly decision: PromptDecision;
}

/** The sent parts that took another form in one request. */
export interface Rewritten {
  readonly parts: number;
  readonly savedChars: number;
}

type Life = Omit<PartLife, "forms"> & { readonly forms: PartState[] };
type Stand = Pick<PartState, "form" | "chars">;

/** Follows in which form each part of a session's log stood in its requests. Work follows what changed. */
export class PartLives {
  /** By place in the log. */
  readonly #lives: (readonly Life[] | undefined)[] = [];

  /** All parts so far, in order of the log. */
  get lives(): readonly PartLife[] {
    return this.#lives.flatMap((lives) => lives ?? []).filter(({ forms }) => forms.length > 0);
  }

  request({ call, change, view, decision }: RequestShown): Rewritten {
    const reasons = reasonsOf(decision);
    const rewritten = { parts: 0, savedChars: 0 };
    const shown = new Map(change.entered.flatMap((message) => withPlaces(message)));
    const gone = change.left.flatMap((message) => withPlaces(message)).filter(([place]) => !shown.has(place));
    for (const [place, message] of [...shown, ...gone.map(([at]) => [at, undefined] as const)]) {
      const entry = view.log[place];
      for (const life of entry === undefined ? [] : this.#livesOf(entry, view.log)) {
        const stand = entry === undefined || message === undefined ? nothing : standOf(life, { message, view });
        const before = life.forms.at(-1);
        if (before?.form === stand.form && before.chars === stand.chars) continue;
        // A recall is decided for an object, everything else for a part.
        const recalled = entry?.kind === "recalled" && before === undefined ? entry.object : undefined;
        const reason = reasons.get(life.key) ?? (recalled === undefined ? undefined : reasons.get(recalled));
        life.forms.push({ call, ...stand, ...defined({ reason }) });
        if (before === undefined) continue;
        rewritten.parts += 1;
        rewritten.savedChars += before.chars - stand.chars;
      }
    }
    return rewritten;
  }

  #livesOf(entry: LogEntry, log: ContextView["log"]): readonly Life[] {
    const known = this.#lives[entry.at];
    if (known !== undefined) return known;
    const lives = partsOf(entry, log).map((part) => ({ ...part, forms: [] }));
    this.#lives[entry.at] = lives;
    return lives;
  }
}

const nothing: Stand = { form: "gone", chars: 0 };

/** Messages that stand for an entry of the log are named after its place, and what they bring back stands in them. */
function withPlaces(message: PromptMessage): readonly (readonly [number, PromptMessage])[] {
  const [digits] = /^\d+/.exec(message.id) ?? [];
  const places = [...(digits === undefined ? [] : [Number(digits)]), ...recalledChars(message).keys()];
  return places.map((place) => [place, message] as const);
}

function partsOf(entry: LogEntry, log: ContextView["log"]): readonly Omit<PartLife, "forms">[] {
  const key = resultPart(entry.at);
  switch (entry.kind) {
    case "user":
      return [{ key, kind: "user", chars: entry.text.length }];
    case "assistant": {
      const text = entry.text === "" ? [] : [{ key, kind: "assistant" as const, chars: entry.text.length }];
      const args = entry.calls.map(({ tool, args }, call) => ({
        ...{
          key: argsPart(entry.at, call),
          kind: "arguments" as const,
          tool,
          ...defined({ target: callTarget(args) }),
        },
        chars: canonicalJson(args).length,
      }));
      return [...text, ...args];
    }
    case "result":
      return [
        {
          key,
          kind: "result",
          tool: entry.tool,
          ...defined({ target: callTarget(entry.args) }),
          chars: entry.text?.length ?? 0,
        },
      ];
    case "recalled": {
      const source = log.findLast((of) => of.kind === "result" && of.object === entry.object);
      const about =
        source?.kind === "result" ? { tool: source.tool, ...defined({ target: callTarget(source.args) }) } : {};
      return [{ key, kind: "recalled", ...about, chars: entry.text.length }];
    }
    default:
      return [];
  }
}

function standOf(
  { key, kind }: Life,
  { message, view }: { readonly message: PromptMessage; readonly view: RequestShown["view"] },
): Stand {
  const form = view.forms.get(key)?.form;
  if (kind === "arguments") {
    const args = message.calls?.[callOfPart(key)]?.args;
    return { form: form ?? "full", chars: args === undefined ? 0 : canonicalJson(args).length };
  }
  const recalled = recalledChars(message);
  if (kind === "recalled") return { form: form ?? "recalled", chars: recalled.get(Number(key)) ?? 0 };
  const chars = [...recalled.values()].reduce((left, of) => left - of, message.text.length);
  if (form !== undefined) return { form, chars };
  // Under `ssot` every output is a line, whatever its form.
  const isReference = kind === "result" && message.text.startsWith("toolcall_ref ");
  return { form: isReference ? "reference" : "full", chars };
}

function reasonsOf({ reasons = {} }: PromptDecision): ReadonlyMap<string, string> {
  return new Map(Object.entries(reasons).flatMap(([reason, parts]) => parts.map((part) => [part, reason] as const)));
}
