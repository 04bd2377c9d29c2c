import { defineConfig } from "tsup";
import { library } from "../../tsup.shared.ts";

export default defineConfig(
  library(
    [
      "src/cli.ts",
      "src/bench.ts",
      "src/bench/requests/fixed-view.ts",
      "src/bench/flat/flat-session.ts",
      "src/bench/sources/index-tree.ts",
      "src/bench/sessions/long-session.ts",
      "src/bench/sessions/wide-session.ts",
      "src/bench/sessions/resume-session.ts",
      "src/bench/sessions/opening-session.ts",
    ],
    { noExternal: [/^@cm\/scripted-models$/] },
  ),
);
