import { defineConfig } from "tsup";
import { library } from "../../tsup.shared.ts";

export default defineConfig(
  library(["src/index.ts"], {
    bundled: ["zod/mini", "jsonc-parser"],
    esbuildOptions(options) {
      // The other build of `jsonc-parser` asks for its parts with a `require` that a bundle of ESM does not have.
      options.mainFields = ["module", "main"];
    },
  }),
);
