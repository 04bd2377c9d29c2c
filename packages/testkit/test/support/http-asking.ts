import { Agent, type IncomingMessage, request } from "node:http";

export interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly location: string | undefined;
  readonly body: Buffer;
}

interface Question {
  readonly method?: string;
  readonly path?: string;
  readonly body?: string | readonly string[];
  readonly signal?: AbortSignal;
}

/** A client that keeps one connection alive and follows nothing, retries nothing. */
export class Asker {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** Local ports of the connections that carried a question. */
  readonly ports = new Set<number | undefined>();
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Resolves with a whole answer only; a text is sent with its length, several in chunks. */
  async ask({ method = "GET", path = "/", body = "", signal }: Question = {}): Promise<Answer> {
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const asked = request(this.#url + path, { method, agent: this.#agent, ...(signal && { signal }) }, resolve);
      asked.on("error", reject);
      asked.on("socket", (socket) => {
        if (socket.connecting) socket.once("connect", () => this.ports.add(socket.localPort));
        else this.ports.add(socket.localPort);
      });
      if (typeof body === "string") asked.end(body);
      else {
        for (const part of body) asked.write(part);
        asked.end();
      }
    });
    const parts: Buffer[] = [];
    for await (const part of message) parts.push(part);
    const { "content-type": type, location } = message.headers;
    return { status: message.statusCode ?? 0, type, location, body: Buffer.concat(parts) };
  }

  /** The code of the error that the question ends in. */
  async fails(question: Question = {}): Promise<string> {
    const error: unknown = await this.ask(question).then(
      ({ status }) => `answered ${status}`,
      (reason) => reason,
    );
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }

  close(): void {
    this.#agent.destroy();
  }
}
