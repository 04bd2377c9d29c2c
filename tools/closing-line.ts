import type { Reporter, SerializedError, TestModule, Vitest } from "vitest/node";

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

function count(modules: readonly TestModule[], errors: readonly SerializedError[], pattern?: RegExp): Count {
  // An error outside of every test still is a failure.
  const total: Count = { passed: 0, failed: errors.length, skipped: 0 };
  for (const module of modules) {
    // A test whose title was not asked for is no test of this run.
    const asked = [...module.children.allTests()].filter(({ fullName }) => pattern?.test(fullName) ?? true);
    const states = asked.map((test) => test.result().state);
    for (const state of states) {
      // A test that was never decided has not passed.
      total[state === "pending" ? "failed" : state] += 1;
    }
    // So is a file that cannot be loaded or a hook that throws, though no test of it failed.
    if (!module.ok() && !states.includes("failed")) total.failed += 1;
  }
  return total;
}

/** Ends a run with "N passed, N failed, N skipped" alone on a line, for programs that read the output. */
export default class ClosingLine implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const { passed, failed, skipped } = count(modules, errors, this.#vitest?.getGlobalTestNamePattern());
    // At the very end: the default reporter's summary is still to come.
    process.once("exit", () => console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`));
  }
}
