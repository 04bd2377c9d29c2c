import { exitCodes } from "./errors.ts";

const tidying = new Set<() => void>();

/**
 * Registers a clean-up for an interruption. It is called at once, so it must not wait. Returns a function that
 * unregisters it.
 */
export function onInterrupt(tidy: () => void): () => void {
  tidying.add(tidy);
  return () => tidying.delete(tidy);
}

/** Ctrl-C and its like end the command without a word, and leave no half-made file. */
export function endQuietlyOnSignals(): void {
  const codes = { SIGINT: exitCodes.interrupted, SIGTERM: 143, SIGHUP: 129 } as const;
  for (const [signal, code] of Object.entries(codes)) {
    process.once(signal, () => {
      for (const tidy of tidying) tidy();
      process.exit(code);
    });
  }
}
