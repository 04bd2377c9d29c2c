import { defineConfig } from "tsup";
import { library } from "../../tsup.shared.ts";

// The worker is a file of its own beside the index, because a thread starts from a file.
export default defineConfig(
  library([], {
    entry: { index: "src/index.ts", "reading-worker": "src/indexing/worker.ts" },
    bundled: ["zod/mini"],
  }),
);
