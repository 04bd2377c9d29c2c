import type { Options } from "tsup";

/** The one tsup setup of every package: ESM for Node, source maps, .d.ts. */
export function library(entry: string[], extra: Options = {}): Options {
  return {
    entry,
    format: ["esm"],
    target: "node22",
    platform: "node",
    dts: false,
    sourcemap: true,
    clean: true,
    splitting: true,
    treeshake: false,
    outDir: "dist",
    // `node:sqlite` is not known without its prefix.
    removeNodeProtocol: false,
    ...extra,
  };
}
