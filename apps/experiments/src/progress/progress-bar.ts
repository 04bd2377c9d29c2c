import { grouped } from "../numbers.ts";

const cells = 20;

/** `[##########..........]  45 %  title  204/453 calls`, aligned so that bars of several tasks stand below each other. */
export function progressBar(title: string, done: number, total: number): string {
  const share = total > 0 ? Math.min(1, Math.max(0, done / total)) : 1;
  // Down, not to the nearest: the bar is full only at the end.
  const filled = Math.floor(share * cells);
  const bar = `[${"#".repeat(filled)}${".".repeat(cells - filled)}]`;
  return `${bar} ${`${Math.floor(share * 100)}`.padStart(3)} %  ${title}  ${callsDone(done, total)}`;
}

export function callsDone(done: number, total: number): string {
  return `${grouped(done)}/${grouped(total)} calls`;
}
