import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../tools/workspace.ts";

const folder = join(root, "packages/pi-extension");

/** The package folder of our extension, for `-e`. @throws Error where it is not built */
export function extensionPath(): string {
  if (existsSync(join(folder, "dist/index.js"))) return folder;
  throw new Error("packages/pi-extension is not built: run `pnpm exec nx run-many -t build -p @cm/pi-extension`.");
}

/** The kit's own extension: see probe-extension.ts. */
export const probePath: string = join(import.meta.dirname, "probe-extension.ts");
