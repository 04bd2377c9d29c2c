// @module-tag long
// Verifies: for what both programs write, contexts, trees and branches are those of Pi's own session manager.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom, forSeeds } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { buildSessionContext, SessionManager, type SessionTreeNode } from "../src/index.ts";
import { header, jsonl } from "./session-text.ts";
import { piSessions } from "./support/pi-session-manager.ts";
import { assistant, optionsIn, tempFolder, user } from "./support/places.ts";
import { randomTree } from "./support/random-tree.ts";

const pi = await piSessions();
const file = "packages/journal/test/differential.test.ts";

describe("the context", () => {
  it("is Pi's at random leaves of random trees", async () => {
    let leaves = 0;
    await forSeeds({ short: 2000, long: 20_000, file }, (random) => {
      const entries = randomTree(random);
      for (const leafId of [undefined, null, "unknown", random.pick(entries).id, random.pick(entries).id]) {
        const theirs = pi.buildSessionContext(entries, leafId);
        const ours = buildSessionContext(entries, leafId, undefined, { dialect: "pi" });

        expect(ours.messages).toEqual(theirs.messages);
        expect(ours.thinkingLevel).toBe(theirs.thinkingLevel);
        const { model } = theirs;
        expect(ours.models.default).toBe(model === null ? undefined : `${model.provider}/${model.modelId}`);
        leaves += 1;
      }
    });
    expect(leaves).toBeGreaterThan(0);
  });

  it("is Pi's under the rules of oh-my-pi too, where a tree has only what both know", async () => {
    const piOnly = new Set(["context_edit"]);
    await forSeeds({ short: 500, long: 5000, file }, (random) => {
      const entries = randomTree(random).filter(
        (entry) =>
          !piOnly.has(entry.type) &&
          !("systemMessage" in entry) &&
          !(entry.type === "message" && (entry.message.role === "system" || entry.message.content === null)),
      );
      const leafId = entries.length === 0 ? undefined : random.pick(entries).id;

      expect(buildSessionContext(entries, leafId).messages).toEqual(pi.buildSessionContext(entries, leafId).messages);
    });
  });
});

const shapeOf = (nodes: readonly SessionTreeNode[]): unknown =>
  nodes.map(({ entry, children, label }) => [entry.id, label ?? null, shapeOf(children)]);

describe("a file", () => {
  it("that Pi's manager and ours open gives the same entries, trees, branches and labels", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cm-journal-"));
    try {
      await forSeeds({ short: 100, long: 1000, file }, async (random, seed) => {
        const path = join(folder, `${seed}.jsonl`);
        writeFileSync(path, jsonl(header, ...randomTree(random)));
        const theirs = pi.SessionManager.open(path);
        const ours = await SessionManager.open(path, undefined, optionsIn(folder, { dialect: "pi" }));

        expect(ours.getEntries()).toEqual(theirs.getEntries());
        expect(ours.getLeafId()).toBe(theirs.getLeafId());
        expect(shapeOf(ours.getTree())).toEqual(shapeOf(theirs.getTree()));
        const { id } = random.pick(ours.getEntries());
        expect(ours.getBranch(id)).toEqual(theirs.getBranch(id));
        for (const entry of ours.getEntries()) expect(ours.getLabel(entry.id)).toBe(theirs.getLabel(entry.id));
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("of a branch is Pi's, but for its own ids and times", async () => {
    await forSeeds({ short: 60, long: 600, file }, async (random) => {
      const folder = mkdtempSync(join(tmpdir(), "cm-journal-"));
      try {
        const path = join(folder, "s.jsonl");
        writeFileSync(path, jsonl(header, ...randomTree(random)));
        const theirs = pi.SessionManager.open(path);
        const ours = await SessionManager.open(path, undefined, optionsIn(folder, { dialect: "pi" }));
        const { id } = random.pick(ours.getEntries());

        theirs.createBranchedSession(id);
        ours.createBranchedSession(id);

        expect(withoutLabelIds(ours.getEntries())).toEqual(withoutLabelIds(theirs.getEntries()));
        expect(ours.buildSessionContext().messages).toEqual(theirs.buildSessionContext().messages);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });

  it("that ours wrote is gone on with by Pi, and the other way round", async () => {
    const folder = tempFolder();
    const random = createRandom(7);
    const ours = SessionManager.create(folder, folder, optionsIn(folder, { dialect: "pi" }));
    const path = ours.getSessionFile() as string;
    const first = ours.appendMessage(user("one"));
    ours.appendModelChange("openai/gpt-4o");
    ours.appendMessage(assistant("two"));
    ours.branchWithSummary(first, "the way not taken");
    ours.appendLabelChange(first, "start");
    await ours.setSessionName("a name");
    await ours.close();

    const theirs = pi.SessionManager.open(path);
    theirs.appendThinkingLevelChange("high");
    theirs.appendModelChange("anthropic", "claude");
    theirs.branchWithSummary(random.pick([first]), "again");
    theirs.appendMessage(assistant("three"));

    const again = await SessionManager.open(path, undefined, optionsIn(folder));
    expect(again.getEntries()).toEqual(theirs.getEntries());
    const { messages, thinkingLevel } = theirs.buildSessionContext();
    expect(again.buildSessionContext()).toMatchObject({ messages, thinkingLevel });
    expect(again.getSessionName()).toBe("a name");
    expect(readFileSync(path, "utf8")).not.toContain("fromExtension");
  });
});

function withoutLabelIds(entries: readonly object[]): unknown {
  return entries.map((entry) => {
    const { id, parentId, ...rest } = entry as Record<string, unknown>;
    return rest.type === "label" ? rest : { id, parentId, ...rest };
  });
}
