import { randomBytes, randomUUID } from "node:crypto";

/** Eight hexadecimal digits that no entry has yet; a whole UUID where chance gives the same ones a hundred times. */
export function newEntryId(taken: { has(id: string): boolean }): string {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const id = randomUUID().slice(0, 8);
    if (!taken.has(id)) return id;
  }
  return randomUUID();
}

/** Sixteen hexadecimal digits, as oh-my-pi names sessions: the time first, so that names sort by it. */
export function newShortSessionId(now: number): string {
  return `${now.toString(16).padStart(12, "0").slice(-12)}${randomBytes(2).toString("hex")}`;
}

/** A UUID of version 7, as Pi names sessions. */
export function newUuid7(now: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
