import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";

/** The numbers are those of `failing-disk.c`. */
const faults = { "I/O error": 1, full: 2, half: 3, kill: 4, "half, then kill": 5 } as const;

export type DiskFault = keyof typeof faults;

export interface DiskFailure {
  readonly fault: DiskFault;
  /** Which call that changes something below the folder; the first is 1. */
  readonly at: number;
  /** All calls after it fail as well. Default: that one only. */
  readonly lasting?: boolean;
}

/** Sets what fails, or that nothing does; counting begins anew. For the test, and for the program on that disk itself. */
export function setDisk(control: string, failure: DiskFailure | undefined): void {
  const numbers = new Int32Array(4);
  if (failure !== undefined) numbers.set([0, failure.at, faults[failure.fault], failure.lasting === true ? 1 : 0]);
  // Never emptied: a program has these bytes in its memory.
  const file = openSync(control, constants.O_RDWR | constants.O_CREAT);
  writeSync(file, new Uint8Array(numbers.buffer), 0, 16, 0);
  closeSync(file);
}

/** How many calls changed something since. */
export function callsOnDisk(control: string): number {
  const [calls = 0] = new Int32Array(new Uint8Array(readFileSync(control)).buffer);
  return calls;
}
