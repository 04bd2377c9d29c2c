import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { tagsOf } from "../vitest.shared.ts";

/**
 * Takes first the packages with the most files that are not fast, and of each package the files that are tagged as long, so
 * that the end of a run has small ones for every worker. A package stays in one piece: a worker keeps its process, and what
 * that has loaded, only while files of one package follow each other.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const tags = new Map(files.map((file) => [file, tagsOf(readFileSync(file.moduleId, "utf8"))]));
    const having = (some: TestSpecification[], tagged: (of: string[]) => boolean): TestSpecification[] =>
      some.filter((file) => tagged(tags.get(file) ?? []));
    const isLong = (of: string[]): boolean => of.includes("long");
    return [...Map.groupBy(await super.sort(files), ({ project }) => project).values()]
      .map((some) => ({ some, slow: having(some, (of) => of.length > 0).length }))
      .sort((a, b) => b.slow - a.slow)
      .flatMap(({ some }) => [...having(some, isLong), ...having(some, (of) => !isLong(of))]);
  }
}
