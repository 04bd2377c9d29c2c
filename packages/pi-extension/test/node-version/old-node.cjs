// Runs before Pi: this Node says that it is an older one, and what of the extension is loaded is written down.
const { appendFileSync } = require("node:fs");
const { registerHooks } = require("node:module");
const { isMainThread } = require("node:worker_threads");

const { OLD_NODE, LOADED_FILE } = process.env;
Object.defineProperty(process, "versions", { value: { ...process.versions, node: OLD_NODE } });
if (isMainThread) {
  registerHooks({
    load(url, context, next) {
      if (/pi-extension\/dist\/|@cm\//.test(url)) appendFileSync(LOADED_FILE, `${url.replace(/^.*\//, "")}\n`);
      return next(url, context);
    },
  });
}
