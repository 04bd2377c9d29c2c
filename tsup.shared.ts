import { copyFile, readdir } from "node:fs/promises";
import type { Options } from "tsup";

export interface LibraryOptions extends Options {
  /**
   * Packages of which a small part is used and whose files take long to load, by the name they are imported by: that part
   * goes into our own files, their licence beside them. An agent's first request waits for what is loaded.
   */
  readonly bundled?: readonly string[];
}

/** The one tsup setup of every package: ESM for Node, source maps, .d.ts. */
export function library(entry: string[], { bundled = [], ...extra }: LibraryOptions = {}): Options {
  const outDir = "dist";
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
    outDir,
    // `node:sqlite` is not known without its prefix.
    removeNodeProtocol: false,
    noExternal: bundled.map((name) => new RegExp(`^${name}$`)),
    onSuccess: async () => {
      for (const name of bundled.map((imported) => imported.split("/")[0])) {
        const licence = (await readdir(`node_modules/${name}`)).find((file) => /^LICEN[CS]E(\.\w+)?$/.test(file));
        await copyFile(`node_modules/${name}/${licence}`, `${outDir}/${name}.LICENSE`);
      }
    },
    ...extra,
  };
}
