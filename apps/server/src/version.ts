import { readFileSync } from "node:fs";

/** Of this package, as its manifest says: beside `dist`, and beside `src`. */
export const version: string = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { readonly version: string }
).version;
