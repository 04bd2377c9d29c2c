/** How often to look whether the program that started us is still there. */
const lookMs = 1_000;

export interface Interruption {
  /** Aborts when the user, the system or the terminal wants us to end. */
  readonly signal: AbortSignal;
  /** Takes the handlers back, so that nothing keeps the process alive. */
  release(): void;
}

/**
 * Ctrl-C, `kill` and a terminal that goes away all mean the same: end in good order. A package manager between the
 * user and us may die without handing its signal on; started through one, we end when it is gone.
 */
export function interruption(env: NodeJS.ProcessEnv = process.env): Interruption {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of names) process.on(name, end);
  const parent = process.ppid;
  const looking =
    env.CM_CALLER_FOLDER === undefined
      ? undefined
      : setInterval(() => process.ppid !== parent && end(), lookMs).unref();
  return {
    signal: controller.signal,
    release() {
      for (const name of names) process.off(name, end);
      clearInterval(looking);
    },
  };
}
