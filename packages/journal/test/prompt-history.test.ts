import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { HistoryStorage } from "../src/prompt-history.ts";
import { tempFolder } from "./support/places.ts";

function opened(path = join(tempFolder(), "sub", "history.db")): HistoryStorage {
  const history = HistoryStorage.open(path);
  onTestFinished(() => history.close());
  return history;
}

const promptsOf = (entries: readonly { readonly prompt: string }[]) => entries.map(({ prompt }) => prompt);

describe("the prompt history", () => {
  it("gives the newest prompts first, trimmed, with their folder", async () => {
    const history = opened();
    history.add("  first ", "/work");
    history.add("second");
    await history.settled();

    expect(history.getRecent(10)).toMatchObject([{ prompt: "second" }, { prompt: "first", cwd: "/work" }]);
    expect(history.getRecent(1)).toHaveLength(1);
  });

  it("leaves out what is empty, and what comes twice in a row, also after a restart", async () => {
    const path = join(tempFolder(), "history.db");
    const before = HistoryStorage.open(path);
    for (const prompt of ["  ", "a", "a ", "b", "a"]) before.add(prompt);
    await before.close();

    const history = opened(path);
    history.add("a");
    await history.settled();

    expect(promptsOf(history.getRecent(10))).toEqual(["a", "b", "a"]);
  });

  it("does not write while it is called", async () => {
    const history = opened();
    history.add("later");
    const atOnce = history.getRecent(10);
    await history.settled();

    expect(atOnce).toEqual([]);
    expect(history.getRecent(10)).toHaveLength(1);
  });

  it("finds prompts that have all words, by their beginnings, whatever stands in the query", async () => {
    const history = opened();
    for (const prompt of ["fix the parser", "fix parse errors", 'say "hi" OR leave']) history.add(prompt);
    await history.settled();

    expect(promptsOf(history.search("pars fix", 10))).toEqual(["fix parse errors", "fix the parser"]);
    expect(promptsOf(history.search('"hi" OR', 10))).toEqual(['say "hi" OR leave']);
    for (const query of ["", '"', "* AND (", "NEAR(", "a:b", "\0"]) expect(history.search(query, 10)).toEqual([]);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("gives nothing for the limit %s", async (limit) => {
    const history = opened();
    history.add("one");
    await history.settled();

    expect(history.getRecent(limit)).toEqual([]);
  });

  it("builds the index of words of a file that has none", async () => {
    const { DatabaseSync } = await import("node:sqlite");
    const path = join(tempFolder(), "history.db");
    const old = new DatabaseSync(path);
    old.exec(
      "CREATE TABLE history (id INTEGER PRIMARY KEY AUTOINCREMENT, prompt TEXT NOT NULL, " +
        "created_at INTEGER NOT NULL DEFAULT 0, cwd TEXT); INSERT INTO history (prompt) VALUES ('an old prompt')",
    );
    old.close();

    expect(promptsOf(opened(path).search("old", 10))).toEqual(["an old prompt"]);
  });
});
