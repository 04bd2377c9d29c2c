import { defineConfig } from "tsup";
import { library } from "../../tsup.shared.ts";

export default defineConfig(
  library(["src/index.ts"], {
    // The sources are in the package: a law that fails is opened and read there, so the maps need no copy of them.
    esbuildOptions(options) {
      options.sourcesContent = false;
    },
  }),
);
