/** Resolves after the time, or at once if the caller no longer waits. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    if (signal?.aborted) over();
    else signal?.addEventListener("abort", over, { once: true });
  });
}
