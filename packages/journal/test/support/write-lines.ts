// node write-lines.ts PATH FOLDER NAME COUNT: appends lines to a session, and renames it now and then.
import { SessionManager } from "../../src/index.ts";

const [path = "", folder = "", name = "", count = "0"] = process.argv.slice(2);
const session = await SessionManager.open(path, undefined, { agentDir: folder, terminalId: null });
for (let line = 0; line < Number(count); line += 1) {
  session.appendMessage({ role: "user", content: `${name}-${line}` });
  if (line % 7 === 0) await session.setSessionName(`${name} ${line}`);
  else if (line % 3 === 0) await session.flush();
}
await session.close();
