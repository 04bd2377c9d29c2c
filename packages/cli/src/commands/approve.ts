import { Command } from "commander";
import type { CommandRun } from "../command-line.ts";
import { cliError } from "../errors.ts";
import { limits } from "../limits.ts";

interface ApproveOptions {
  readonly deny?: boolean;
  readonly server?: string;
}

export function approveCommand(run: CommandRun): Command {
  const command = new Command("approve")
    .description("let a call run that waits for a person on a server, or list those that wait")
    .argument("[id]", "the approval's id; without one, all that wait are listed")
    .option("--deny", "do not let it run")
    .option("--server <url>", "the server (default: CM_SERVER_URL, http://127.0.0.1:7420)");
  return command.action((id: string | undefined, { deny = false, server }: ApproveOptions) =>
    run.run(command, async ({ output }) => {
      const { env, now } = run.world;
      const base = server ?? (env.CM_SERVER_URL || "http://127.0.0.1:7420");
      const asked = new Asked(base, env.CM_SERVER_TOKEN);
      if (id === undefined) {
        const { items, unreachable_servers: silent = 0 } = (await asked.answer("")) as Waiting;
        if (output.json) for (const item of items) await output.value(item);
        else if (items.length === 0) output.note("No call waits.");
        else await output.table(columns, items.map(waitingRow));
        if (silent > 0)
          output.note(`${silent} other ${silent === 1 ? "server" : "servers"} did not say what waits there.`);
        return undefined;
      }
      const client_at = new Date(now()).toISOString();
      const decided = await asked.answer(`/${encodeURIComponent(id)}`, {
        decision: deny ? "denied" : "approved",
        client_at,
      });
      if (output.json) await output.value(decided as object);
      else await output.line(deny ? "Denied." : "Approved.");
      return undefined;
    }),
  );
}

const columns = [
  { title: "approval", shrinks: true },
  { title: "session", shrinks: true },
  { title: "risk" },
  { title: "what", shrinks: true },
  { title: "until" },
] as const;

interface Waiting {
  readonly items: readonly WaitingCall[];
  /** Servers of the same store that could not be asked. */
  readonly unreachable_servers?: number;
}

interface WaitingCall {
  readonly approval_id: string;
  readonly session_id: string;
  readonly risk: string;
  readonly summary: string;
  readonly expires_at: string;
}

const waitingRow = ({ approval_id, session_id, risk, summary, expires_at }: WaitingCall): readonly string[] => [
  ...[approval_id, session_id, risk, summary, expires_at],
];

/** The approvals of one server. */
class Asked {
  readonly #base: string;
  /** Without the login that an address may hold. */
  readonly #shown: string;
  readonly #token: string | undefined;

  constructor(base: string, token: string | undefined) {
    if (!URL.canParse(base))
      throw cliError("cli/usage", "The server's address is no URL; give it as http://127.0.0.1:7420.");
    this.#base = base.replace(/\/+$/, "");
    this.#shown = `The server ${new URL(base).origin}`;
    this.#token = token;
  }

  async answer(path: string, body?: object): Promise<unknown> {
    const answered = await this.#ask(`${this.#base}/api/governance/approvals${path}`, body);
    const text = await answered.text();
    if (answered.ok) return this.#parsed(text);
    if (answered.status === 404) {
      const sentence =
        path === ""
          ? `${this.#shown} governs no sessions; start it with --policy.`
          : "No call waits for that approval, or no longer.";
      throw cliError("cli/not-found", sentence);
    }
    const hint = answered.status === 401 ? " Give its token in CM_SERVER_TOKEN." : "";
    throw cliError("cli/refused", `${this.#shown} refused it with ${answered.status}.${hint}`, {
      status: answered.status,
    });
  }

  /** Another server may listen there. */
  #parsed(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw cliError("cli/refused", `${this.#shown} gives no answer of a \`cm-server\`; name another with --server.`);
    }
  }

  async #ask(url: string, body: object | undefined): Promise<Response> {
    const headers = {
      ...(this.#token ? { authorization: `Bearer ${this.#token}` } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    try {
      return await fetch(url, { ...sent, headers, signal: AbortSignal.timeout(limits.serverAnswerMs) });
    } catch {
      throw cliError(
        "cli/no-server",
        `${this.#shown} does not answer; name another with --server, or in CM_SERVER_URL.`,
      );
    }
  }
}
