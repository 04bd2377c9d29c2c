// node write-until-killed.ts FOLDER: writes a session for ever, and says after each flush how many entries are safe.
import { writeSync } from "node:fs";
import { SessionManager } from "../../src/index.ts";

const [folder = "", seed = "0"] = process.argv.slice(2);
const session = SessionManager.create("/work", folder, { agentDir: folder, terminalId: null });
session.appendMessage({ role: "assistant", content: "0" });
await session.flush();
writeSync(1, `${session.getSessionFile()}\n`);
for (let count = 1; ; count += 1) {
  session.appendMessage({ role: "user", content: `${count} ${"x".repeat((count * 7919 + Number(seed)) % 20_000)}` });
  if (count % 3 === 0) {
    await session.flush();
    writeSync(1, `${count}\n`);
  }
  if (count % 10 === 0) await session.setSessionName(`name ${count}`);
}
