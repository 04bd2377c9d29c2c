// npm run xtdb: starts a node in the foreground, and the maintenance commands of a stopped one.
import { parseRequest, type Request } from "./cli-arguments.ts";
import { helpText } from "./help-text.ts";
import { interruption } from "./interruption.ts";
import { backup, compact, scan } from "./maintenance.ts";
import { isNodeError } from "./node-error.ts";
import { prepareOrSay } from "./prepare-or-say.ts";
import { serve } from "./serve.ts";

const say = (line: string): void => console.error(line);

async function run(request: Request): Promise<number> {
  switch (request.command) {
    case "help":
      console.log(helpText);
      return 0;
    case "serve":
      return serve(request, say);
    default: {
      const { signal, release } = interruption();
      try {
        return await maintain(request, signal);
      } finally {
        release();
      }
    }
  }
}

type Maintenance = Exclude<Request, { readonly command: "help" | "serve" }>;

async function maintain(request: Maintenance, signal: AbortSignal): Promise<number> {
  const options = { say, signal };
  switch (request.command) {
    case "prepare":
      await prepareOrSay(say, { signal });
      return 0;
    case "compact":
      return compact(request.folder, request.checkpoint, options);
    case "scan":
      return scan(request.folder, request.texts, options);
    case "backup":
      return backup(request.folder, request.target, options);
  }
}

try {
  const folder = process.env.CM_CALLER_FOLDER ?? process.cwd();
  process.exitCode = await run(parseRequest(process.argv.slice(2), folder));
} catch (error) {
  if (!isNodeError(error)) throw error;
  say(error.message);
  process.exitCode = 1;
}
