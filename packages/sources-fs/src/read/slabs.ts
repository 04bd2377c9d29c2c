import { fileLimits as limits } from "../limits.ts";

/**
 * Memory that bytes of files are read into, many small files in one piece. Whole pieces are given to the other thread,
 * which gives them back when it has made texts of them; so reading a tree takes a few pieces in all, and no text is
 * copied on its way.
 */
export class Slabs {
  #free: ArrayBuffer[] = [];
  #current = new ArrayBuffer(limits.pieceBytes);
  #offset = 0;
  #kept = new Set<ArrayBuffer>();

  /** Room for so many bytes, until the next call. */
  reserve(bytes: number): Uint8Array<ArrayBuffer> {
    if (bytes > limits.pieceBytes) return new Uint8Array(bytes);
    if (this.#offset + bytes > limits.pieceBytes) this.#next();
    return new Uint8Array(this.#current, this.#offset, bytes);
  }

  /** The first bytes of what was reserved stay. */
  keep(reserved: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
    const { buffer, byteOffset } = reserved;
    this.#kept.add(buffer);
    if (buffer === this.#current) this.#offset = byteOffset + length;
    return new Uint8Array(buffer, byteOffset, length);
  }

  /** All pieces with something kept. They are given away: nothing here touches them again. */
  take(): readonly ArrayBuffer[] {
    const pieces = [...this.#kept];
    if (this.#kept.has(this.#current)) this.#next();
    this.#kept.clear();
    return pieces;
  }

  giveBack(pieces: readonly ArrayBuffer[]): void {
    for (const piece of pieces) {
      if (piece.byteLength === limits.pieceBytes && this.#free.length < limits.freePiecesMax) this.#free.push(piece);
    }
  }

  #next(): void {
    if (!this.#kept.has(this.#current)) this.#free.push(this.#current);
    this.#current = this.#free.pop() ?? new ArrayBuffer(limits.pieceBytes);
    this.#offset = 0;
  }
}
