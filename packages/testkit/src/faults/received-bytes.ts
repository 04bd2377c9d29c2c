import type { Socket } from "node:net";

/**
 * What a socket received and no reader has read yet. It listens from the start, so that the end of a connection is
 * noticed without a reader. One reader at a time.
 */
export class ReceivedBytes {
  #ready: Buffer = Buffer.alloc(0);
  #arrived: Buffer[] = [];
  #bytes = 0;
  #ended = false;
  #wake: () => void = () => {};

  /** More than `bytesMax` unread bytes close the socket. */
  constructor(socket: Socket, bytesMax: number) {
    const end = (): void => {
      this.#ended = true;
      this.#wake();
    };
    socket.on("data", (chunk: Buffer) => {
      this.#arrived.push(chunk);
      this.#bytes += chunk.length;
      if (this.#bytes > bytesMax) socket.destroy();
      this.#wake();
    });
    socket.on("end", end);
    socket.on("close", end);
  }

  /** True when there is nothing left and nothing will come. */
  async atEnd(): Promise<boolean> {
    while (this.#bytes === 0 && !this.#ended) await this.#more();
    return this.#bytes === 0;
  }

  /** Everything up to the mark and with it. Rejects when the end or the bound comes first. */
  async through(mark: string, bytesMax: number): Promise<Buffer> {
    for (let searched = 0; ; ) {
      this.#gather();
      const at = this.#ready.indexOf(mark, searched, "latin1");
      if (at !== -1 && at + mark.length <= bytesMax) return this.#take(at + mark.length);
      if (at !== -1 || this.#bytes > bytesMax) throw new Error(`no end of line or head within ${bytesMax} bytes`);
      searched = Math.max(0, this.#bytes - mark.length + 1);
      await this.#more();
    }
  }

  async exactly(bytes: number): Promise<Buffer> {
    while (this.#bytes < bytes) await this.#more();
    return this.#take(bytes);
  }

  async untilEnd(): Promise<Buffer> {
    while (!this.#ended) await this.#more();
    return this.#take(this.#bytes);
  }

  #take(bytes: number): Buffer {
    this.#gather();
    const taken = this.#ready.subarray(0, bytes);
    this.#ready = this.#ready.subarray(bytes);
    this.#bytes -= bytes;
    return taken;
  }

  /** Chunks are joined only on demand: joining at each arrival would be quadratic. */
  #gather(): void {
    if (this.#arrived.length === 0) return;
    this.#ready = Buffer.concat([this.#ready, ...this.#arrived]);
    this.#arrived = [];
  }

  async #more(): Promise<void> {
    if (this.#ended) throw new Error("the connection ended in the middle of a message");
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}
