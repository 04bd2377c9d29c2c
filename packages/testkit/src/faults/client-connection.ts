import { once } from "node:events";
import type { Socket } from "node:net";
import { limits } from "../limits.ts";
import type { Fault } from "./fault.ts";
import { type HttpMessage, readRequest } from "./http-message.ts";
import { ReceivedBytes } from "./received-bytes.ts";
import type { PlannedRequest, Round } from "./round.ts";
import { garbage, lastReply, partOf, type Sent, spoiledReply } from "./spoiled-reply.ts";
import { type Target, TargetConnection } from "./target-connection.ts";

/** What a connection needs to know of the proxy that it belongs to. */
export interface Surroundings {
  readonly target: Target;
  readonly dripMs: number;
  readonly round: () => Round;
  readonly listening: () => boolean;
  /** From here on new connections are refused, and those that wait for a request end. */
  readonly stopListening: () => void;
  /** Told of every exchange with the target, so that others can wait for it. */
  readonly onExchange: (exchange: Promise<unknown>) => void;
}

/** One connection of a client, with one to the target behind it: when one of them ends, so does the other. */
export class ClientConnection {
  readonly #client: Socket;
  readonly #proxy: Surroundings;
  #target: TargetConnection | undefined;
  #current: PlannedRequest | undefined;
  #closed = false;

  constructor(client: Socket, proxy: Surroundings) {
    this.#client = client;
    this.#proxy = proxy;
    client.on("error", () => {});
    client.on("close", () => {
      // Who hangs up on an untouched request ends it at the target; a planned fault goes the way it was planned.
      if (this.#current?.fault === undefined) this.#target?.close();
    });
  }

  /** Waits for a request, or for the first one. */
  get idle(): boolean {
    return this.#current === undefined;
  }

  /** Ends when the connection has; never rejects. */
  async serve(): Promise<void> {
    const incoming = new ReceivedBytes(this.#client, limits.messageBytesMax);
    const onContinue = (): void => {
      this.#client.write("HTTP/1.1 100 Continue\r\n\r\n");
    };
    try {
      for (let goesOn = true; goesOn; ) {
        const request = await readRequest(incoming, onContinue);
        goesOn = request !== undefined && (await this.#answer(request));
        this.#current = undefined;
      }
    } catch {
      // A client or a target that breaks off, or does not speak HTTP/1.1: the other side sees the connection end.
    }
    this.close();
    if (!this.#client.closed) await once(this.#client, "close");
  }

  close(): void {
    this.#closed = true;
    this.#client.destroy();
    this.#target?.close();
  }

  /** False when this was the last request of the connection. */
  async #answer(request: HttpMessage): Promise<boolean> {
    const [method = "", path = ""] = request.startLine.split(" ");
    const round = this.#proxy.round();
    const planned = round.next(method, path);
    this.#current = planned;
    if (planned.fault === "refused") this.#proxy.stopListening();
    if (planned.fault === "refused" || planned.fault === "reset") {
      this.#client.resetAndDestroy();
      return false;
    }
    if (planned.fault === "late") await planned.held;
    const reply = planned.forward ? await this.#exchange(request, method, planned) : undefined;
    if (this.#proxy.round().refusesNext) this.#proxy.stopListening();
    round.answered();
    const whole = planned.fault === undefined ? reply : spoiledReply(planned.fault, request, reply);
    if (whole === undefined) {
      await this.#breakOff(planned.fault, reply);
      return false;
    }
    const last = !this.#proxy.listening() || endsConnection(request) || (reply !== undefined && endsConnection(reply));
    await this.#send(last ? lastReply(whole) : whole);
    return !last;
  }

  async #exchange(request: HttpMessage, method: string, planned: PlannedRequest): Promise<HttpMessage> {
    const exchange = async (): Promise<HttpMessage> => {
      if (planned.fault === "late") await this.#clientGone();
      if (this.#closed) throw new Error("the proxy was closed before a late request was due");
      this.#target ??= new TargetConnection(this.#proxy.target, () => {
        if (this.idle) this.close();
      });
      return await this.#target.exchange(request, method, planned);
    };
    const exchanged = exchange();
    this.#proxy.onExchange(exchanged);
    return await exchanged;
  }

  /** The faults without a whole reply; the connection is over then. */
  async #breakOff(fault: Fault | undefined, reply: HttpMessage | undefined): Promise<void> {
    if (fault === "never") await this.#clientGone();
    else if (fault === "not-http") await this.#send({ head: garbage, framedBody: Buffer.alloc(0) });
    else if (fault === "cut-in-reply" && reply) await this.#send({ head: partOf(reply), framedBody: Buffer.alloc(0) });
    else if (fault === "slow-drip" && reply) await this.#drip(reply);
  }

  /** Resolves when the bytes are on their way, or the client is gone. */
  async #send({ head, framedBody }: Sent): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#client.write(Buffer.concat([head, framedBody]), () => resolve());
    });
  }

  async #drip({ head, framedBody }: HttpMessage): Promise<void> {
    // Where there is no body the head drips.
    const [atOnce, drops] = framedBody.length === 0 ? [framedBody, head] : [head, framedBody];
    this.#client.write(atOnce);
    let at = 0;
    const timer = setInterval(() => {
      if (at + 1 < drops.length) this.#client.write(drops.subarray(at, at + 1));
      at += 1;
    }, this.#proxy.dripMs);
    await this.#clientGone();
    clearInterval(timer);
  }

  async #clientGone(): Promise<void> {
    if (!this.#client.closed) await once(this.#client, "close");
  }
}

const endsConnection = ({ headers, startLine, untilEnd }: HttpMessage): boolean =>
  untilEnd || headers.get("connection")?.toLowerCase() === "close" || startLine.includes("HTTP/1.0");
