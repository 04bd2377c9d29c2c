import { defineConfig } from "tsup";
import { library } from "../../tsup.shared.ts";

export default defineConfig(library(["src/cli.ts", "src/bench.ts", "src/bench/sources/index-tree.ts"]));
