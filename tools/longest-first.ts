import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { tagsOf } from "../vitest.shared.ts";

/**
 * Takes the files that are tagged as long first, whatever package they belong to, so that the end of a run has small ones
 * for every worker. All others stay as Vitest sorts them, a package after the other: a worker that keeps its process
 * between files can do so only within a package.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const long = new Set(sorted.filter(({ moduleId }) => tagsOf(readFileSync(moduleId, "utf8")).includes("long")));
    return [...long, ...sorted.filter((file) => !long.has(file))];
  }
}
