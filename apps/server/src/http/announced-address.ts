import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isLoopback } from "./access.ts";

/**
 * A server's address as the other servers of its store read it. Each machine has a loopback of its own, so the
 * fragment of such an address names the machine: a token for another machine's would reach any program that listens here.
 */
export const announcedAddress = (address: string, machine = thisMachine()): string =>
  isLoopbackUrl(address) ? `${address}#${machine}` : address;

/** Where a request to an announced address goes; undefined for loopback of another machine, or of an unnamed one. */
export function addressFromHere(announced: string, machine = thisMachine()): string | undefined {
  if (!isLoopbackUrl(announced)) return announced;
  const [address, whose] = announced.split("#");
  return whose === machine ? address : undefined;
}

const isLoopbackUrl = (address: string): boolean => URL.canParse(address) && isLoopback(new URL(address).hostname);

/** Names what shares one loopback: containers on one host have networks of their own. It tells the store no name. */
function thisMachine(): string {
  const marks = [
    hostname(),
    orNone(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    orNone(() => readlinkSync("/proc/self/ns/net")),
  ];
  return createHash("sha256").update(JSON.stringify(marks)).digest("hex").slice(0, 32);
}

/** Linux alone has these files. */
function orNone(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
