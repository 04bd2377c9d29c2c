// Verifies: a call without a result is told as interrupted only where its result cannot be on another branch or in another file.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { expect, it } from "vitest";
import { mayHaveRun } from "../../src/branch/may-have-run.ts";
import { answerMessage, call, resultMessage, userMessage } from "../support/items.ts";

const asked = (pi: SessionManager): string => {
  pi.appendMessage(userMessage("go") as never);
  return pi.appendMessage(answerMessage([call("a")]));
};

const began = (pi: SessionManager): string => pi.getHeader()?.timestamp ?? "";

const told = (pi: SessionManager, answer: string, begun = began(pi)): boolean =>
  mayHaveRun({ begun, entries: () => pi.getEntries() }, "a", answer);

it("has not run where Pi ended before its result", () => {
  const pi = SessionManager.inMemory();
  const anHourAgo = new Date(Date.parse(began(pi)) - 3_600_000).toISOString();

  expect(told(pi, asked(pi), anHourAgo)).toBe(false);
});

it("has run where another branch has its result, and may have where a fork left that branch behind", () => {
  const folder = mkdtempSync(join(tmpdir(), "cm-fork-"));
  const pi = SessionManager.create(folder, folder);
  const answer = asked(pi);
  pi.appendMessage(resultMessage("a", "out"));
  pi.branch(answer);
  const leaf = pi.appendMessage(userMessage("otherwise") as never);
  expect(told(pi, answer)).toBe(true);

  const file = pi.createBranchedSession(leaf);
  const fork = SessionManager.open(String(file));
  expect(fork.getEntries().some((entry) => entry.type === "message" && entry.message.role === "toolResult")).toBe(
    false,
  );
  expect(told(fork, answer)).toBe(true);
});
