// A plugin of Nx: each project has a target `tested` beside its build, which is in Nx's cache when the project's tests have
// passed as all that they depend on is now. `tools/run-tests.mjs` asks and tells.
import { dirname } from "node:path";

const tested = {
  command: "node tools/tested.mjs {projectName}",
  cache: true,
  inputs: [
    "default",
    "^production",
    // The files of other folders that tests use.
    ...["tools/**/*", "vitest.*.ts", "xtdb/**/*", "pnpm-lock.yaml", "docs/benchmarks.md"].map(
      (path) => `{workspaceRoot}/${path}`,
    ),
    // Their inputs from this machine and from options.
    ...["PATH", "CM_XTDB_URL", "CM_CAMPAIGN", "CM_CORPUS", "CM_SEED", "CM_RUNS"].map((env) => ({ env })),
  ],
  outputs: [],
};

export const createNodesV2 = [
  "{packages/*,apps/*,xtdb}/package.json",
  (files) => files.map((file) => [file, { projects: { [dirname(file)]: { targets: { tested } } } }]),
];
