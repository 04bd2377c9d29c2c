import { defineConfig } from "tsup";
import { library } from "../../tsup.shared.ts";

export default defineConfig(library(["src/cm-server.ts", "src/index.ts", "src/client.ts"]));
