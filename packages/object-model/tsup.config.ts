import { defineConfig } from "tsup";
import { library } from "../../tsup.shared.ts";

export default defineConfig(
  library([], {
    bundled: ["zod/mini"],
    entry: { index: "src/index.ts", errors: "src/errors.ts", "stored-form": "src/stored-form/index.ts" },
  }),
);
