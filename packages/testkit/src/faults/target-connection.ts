import { connect, type Socket } from "node:net";
import { limits } from "../limits.ts";
import { type HttpMessage, readReply, statusOf } from "./http-message.ts";
import { ReceivedBytes } from "./received-bytes.ts";
import type { PlannedRequest } from "./round.ts";

export interface Target {
  readonly host: string;
  readonly port: number;
}

/** The proxy's side of one connection to the target. It carries one request at a time. */
export class TargetConnection {
  readonly #socket: Socket;
  readonly #incoming: ReceivedBytes;

  constructor(target: Target, onClose: () => void) {
    this.#socket = connect({ ...target, noDelay: true });
    this.#incoming = new ReceivedBytes(this.#socket, limits.messageBytesMax);
    // What went wrong shows in the reply that does not come.
    this.#socket.on("error", () => {});
    this.#socket.on("close", onClose);
  }

  /** Sends the request and reads the reply. Rejects when the target does not send a whole one. */
  async exchange(request: HttpMessage, method: string, { seen }: PlannedRequest): Promise<HttpMessage> {
    await new Promise<void>((resolve) => {
      this.#socket.write(Buffer.concat([request.head, request.framedBody]), (error) => {
        seen.forwarded = !error;
        resolve();
      });
    });
    const reply = await readReply(this.#incoming, method);
    seen.targetStatus = statusOf(reply);
    return reply;
  }

  close(): void {
    this.#socket.destroy();
  }
}
