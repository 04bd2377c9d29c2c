import {
  appendedEntries,
  type ContextView,
  type LogEntry,
  type PartForm,
  type PromptMessage,
  type RenderedPrompt,
  type Renderer,
  type ViewObject,
} from "@cm/context-log";
import { sha256 } from "@cm/object-model";

/**
 * Two small renderers that show all that a view holds: whatever differs between a request and its rebuilt form is seen.
 * `openLog` shows the log in its forms, `openSets` the members of the sets.
 */
export const openLog: Renderer = {
  contract: "renderer/1",
  layout: "open-log/1",
  residency: "rendered",
  render(view, decision) {
    const forms = new Map([...view.forms, ...Object.entries(decision.forms ?? {})]);
    const log = [...view.log, ...appendedEntries(view, decision)];
    return promptOf(view, "open-log/1", [...log.map((entry) => inForm(view, entry, forms)), known(view)]);
  },
};

export const openSets: Renderer = {
  contract: "renderer/1",
  layout: "open-sets/1",
  residency: "sets",
  render(view, decision) {
    const gone = new Set(decision.deactivate);
    const active = [...view.sets.index].filter((id) => view.sets.active.has(id) && !gone.has(id));
    const log = [...view.log, ...appendedEntries(view, decision)];
    const texts = active.map((id) => message("user", `ACTIVE ${view.objects.get(id)?.alias} ${textOf(view, id)}`));
    return promptOf(view, "open-sets/1", [
      known(view),
      ...log.map((entry) => inForm(view, entry, new Map())),
      ...texts,
    ]);
  },
};

export const rendererFor = (layout: string): Renderer | undefined =>
  [openLog, openSets].find((renderer) => renderer.layout === layout);

/** One line for each object the session ever met. */
function known(view: ContextView): PromptMessage {
  const { index, pool, active, pinned, dismissed, requested } = view.sets;
  const places = Object.entries({ pool, active, pinned, dismissed, requested });
  const said = [...index].map((id) => {
    const marks = places.filter(([, set]) => set.has(id)).map(([name]) => name);
    return `[${lineOf(view.objects.get(id))},${JSON.stringify(marks)}]`;
  });
  return message("user", `${view.session} ${view.step} ${view.turn}\n${said.join("\n")}`);
}

/** Members of a view are frozen: what was said of one once is said again at each later step. */
const lines = new WeakMap<ViewObject, string>();
const messages = new WeakMap<LogEntry, Map<string, PromptMessage>>();

function lineOf(object: ViewObject | undefined): string {
  if (object === undefined) return "{},null";
  const line = lines.get(object);
  if (line !== undefined) return line;
  const { text, ...rest } = object;
  const said = `${JSON.stringify(rest)},${JSON.stringify(text)}`;
  lines.set(object, said);
  return said;
}

function textOf(view: ContextView, id: string): string | null | undefined {
  return view.objects.get(id)?.text;
}

function inForm(view: ContextView, entry: LogEntry, forms: ReadonlyMap<string, PartForm>): PromptMessage {
  const form = forms.get(`${entry.at}`);
  const alias = entry.kind === "result" ? view.objects.get(entry.object)?.alias : undefined;
  const calls = entry.kind === "assistant" ? entry.calls.map((_, call) => isFolded(forms, `${entry.at}.${call}`)) : [];
  const key = `${alias} ${form === undefined ? "" : JSON.stringify(form)} ${calls}`;
  const known = messages.get(entry) ?? new Map<string, PromptMessage>();
  const message = known.get(key) ?? newMessage(view, entry, forms);
  messages.set(entry, known.set(key, message));
  return message;
}

const isFolded = (forms: ReadonlyMap<string, PartForm>, part: string): boolean => forms.get(part)?.form === "reference";

function newMessage(view: ContextView, entry: LogEntry, forms: ReadonlyMap<string, PartForm>): PromptMessage {
  const form = forms.get(`${entry.at}`);
  const shown = form === undefined ? "" : `${JSON.stringify(form)} `;
  const place = `${entry.at}/${entry.step}/${entry.turn}`;
  const isFull = form === undefined || form.form === "full" || form.form === "sparse";
  switch (entry.kind) {
    case "omitted":
      return message("user", place);
    case "user":
      return message("user", `${place} ${entry.text}`, { attachments: entry.attachments });
    case "assistant": {
      const calls = entry.calls.map(({ callId, tool, args }, call) => {
        return { callId, tool, args: isFolded(forms, `${entry.at}.${call}`) ? { folded: true } : args };
      });
      return message("assistant", `${place} ${entry.text}`, { calls, thinking: entry.thinking });
    }
    case "result": {
      const alias = view.objects.get(entry.object)?.alias;
      const { tool, status, spans, files } = entry;
      const text = `${place} ${shown}${alias} ${JSON.stringify([tool, spans, files])} ${isFull ? entry.text : "folded"}`;
      return message("tool", text, { callId: entry.callId, failed: status === "fail", attachments: entry.attachments });
    }
    case "resumed":
      return message("user", `${place} ${JSON.stringify([entry.files, entry.unreachable, entry.checkouts])}`);
    case "recalled":
      return message("user", `${place} ${shown}${isFull ? entry.text : "folded"}`);
    default:
      return message("user", JSON.stringify(entry));
  }
}

function message(
  role: PromptMessage["role"],
  text: string,
  rest: Partial<Pick<PromptMessage, "calls" | "thinking" | "callId" | "failed" | "attachments">> = {},
): PromptMessage {
  const said = JSON.stringify([role, text, rest]);
  return { id: sha256(said), role, text, chars: said.length, ...rest };
}

function promptOf(view: ContextView, layout: string, messages: readonly PromptMessage[]): RenderedPrompt {
  const before = view.sent?.system === view.systemPrompt ? view.sent.messages : [];
  const differs = messages.findIndex(({ id }, place) => before[place]?.id !== id);
  const kept = messages.slice(0, differs < 0 ? messages.length : differs);
  const chars = (some: readonly PromptMessage[]) => some.reduce((sum, one) => sum + one.chars, 0);
  return {
    layout,
    system: view.systemPrompt,
    messages,
    chars: chars(messages),
    kept: { messages: kept.length, chars: chars(kept) },
  };
}
