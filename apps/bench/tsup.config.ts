import { defineConfig } from "tsup";
import { library } from "../../tsup.shared.ts";

export default defineConfig(
  library(
    [
      "src/bench.ts",
      "src/requests/fixed-view.ts",
      "src/flat/flat-session.ts",
      "src/sources/index-tree.ts",
      "src/sessions/long-session.ts",
      "src/sessions/wide-session.ts",
      "src/sessions/resume-session.ts",
      "src/sessions/opening-session.ts",
      "src/pi/long-branch.ts",
      "src/pi/start-of-pi.ts",
    ],
    // Built together, so that what is measured is loaded as a program of users loads it.
    { noExternal: [/^@cm\/experiments\/(?!cli$)/] },
  ),
);
