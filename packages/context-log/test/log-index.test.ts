import { describe, expect, it } from "vitest";
import {
  type ContextView,
  indexedView,
  type LogChanges,
  type LogEntry,
  LogIndex,
  type LogTable,
  type PartForm,
} from "../src/index.ts";

const prompt = (at: number, text: string): LogEntry => ({
  kind: "user",
  at,
  step: at,
  turn: at,
  text,
  attachments: [],
});

/** Remembers what each update was told. */
const told: LogTable<LogChanges[]> = {
  name: "told",
  create: () => [],
  update: (facts, _view, changes) => void facts.push(changes),
};

/** An open session's log, forms and index, as its views hand them on. */
function opened(...texts: readonly string[]) {
  const log = texts.map((text, at) => prompt(at, text));
  const forms = new Map<string, PartForm>();
  const index = new LogIndex(log, forms);
  const view = () => ({ log, forms, index }) as unknown as ContextView;
  return { log, forms, index, view };
}

describe("a table of a log", () => {
  it("is told of each entry once, and only when it is asked for", () => {
    const { log, index, view } = opened("a", "b");

    index.table(told, view());
    index.table(told, view());
    log.push(prompt(2, "c"));
    log.push(prompt(3, "d"));

    expect(index.table(told, view())).toEqual([
      { from: 0, to: 2, parts: [] },
      { from: 2, to: 4, parts: [] },
    ]);
  });

  it("is told of each change of a form that came after it was made", () => {
    const { index, view } = opened("a", "b");
    index.changePart("0");
    index.table(told, view());

    index.changePart("1");
    index.changePart("0");

    expect(index.table(told, view()).at(-1)).toEqual({ from: 2, to: 2, parts: ["1", "0"] });
  });

  it("has other facts in another index", () => {
    const first = opened("a");
    const second = opened("a", "b");

    first.index.table(told, first.view());

    expect(second.index.table(told, second.view())).toEqual([{ from: 0, to: 2, parts: [] }]);
  });

  it("is refused to a view of another log, or of other forms", () => {
    const { index, view, log } = opened("a");

    expect(() => index.table(told, { ...view(), log: [...log] })).toThrow("indexedView");
    expect(() => index.table(told, { ...view(), forms: new Map() })).toThrow("indexedView");
    expect(indexedView({ ...view(), log: [...log] }).index).not.toBe(index);
  });

  it("may read another table while it is brought up to date", () => {
    const letters: LogTable<{ count: number }> = {
      name: "letters",
      create: () => ({ count: 0 }),
      update(facts, { log }, { from, to }) {
        for (const entry of log.slice(from, to)) if (entry.kind === "user") facts.count += entry.text.length;
      },
    };
    const doubled: LogTable<{ count: number }> = {
      name: "doubled",
      create: () => ({ count: 0 }),
      update(facts, view) {
        facts.count = 2 * view.index.table(letters, view).count;
      },
    };
    const { log, index, view } = opened("ab", "c");

    index.table(doubled, view());
    log.push(prompt(2, "d"));

    expect(index.table(doubled, view())).toEqual({ count: 8 });
  });
});
