// Verifies: a fault of ours with one session file is told, and costs the report on no other.
import { afterAll, expect, it, vi } from "vitest";
import { inProcess } from "../support/in-process.ts";

// Other test files of this process load it as it is, before this one and after it.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock("../../src/report/session-report.ts");
  vi.resetModules();
});
vi.mock("../../src/report/session-report.ts", () => ({
  sessionReport: async ({ path }: { path: string }) => {
    throw new TypeError(`a secret of ${path}`);
  },
}));

it("goes on after a file that ends in a fault, says which it was and nothing of what it held", async () => {
  const { status, stdout, stderr } = await inProcess(["report", "a.jsonl", "b.jsonl"]);

  const fault = "An error that cm does not know (TypeError) ended the replay of this file; report it.";
  expect({ status, stdout }).toEqual({ status: 70, stdout: "" });
  expect(stderr).toBe(`a.jsonl: ${fault}\nb.jsonl: ${fault}\n2 sessions could not be reported on and are left out.\n`);
});
