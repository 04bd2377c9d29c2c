import { limits } from "../limits.ts";
import { NotAdmittedError } from "./admission.ts";
import { LastCall } from "./last-call.ts";
import { type CaseOptions, TimeLimit, TimeLimitError, timeLimitOf } from "./time-limit.ts";

/** The parts of a case: its subject is opened, checked, tried and closed, also where the law fails or never ends. */
export interface CaseParts<Opened, Stage> {
  readonly id: string;
  open(): Promise<Opened>;
  /** Refuses what is no subject at all; gives what the law works on, with its calls remembered. */
  admit(opened: Opened, calls: LastCall): Stage;
  holds(stage: Stage): Promise<void>;
  /** Never throws before it gives its promise. */
  close(opened: Opened): Promise<void>;
}

/** Runs one case within its time. The first thing that went wrong is what it rejects with. */
export async function runCase<Opened, Stage>(
  parts: CaseParts<Opened, Stage>,
  options: CaseOptions = {},
): Promise<void> {
  const timeoutMs = timeLimitOf(options);
  const limit = new TimeLimit(
    timeoutMs,
    (awaited) => `${parts.id} did not end within ${timeoutMs} ms: ${awaited} did not end.`,
  );
  const calls = new LastCall();
  try {
    const opened = await openWithin(parts, limit);
    try {
      await limit.wait("its law", holdOn(parts, opened, calls));
    } catch (error) {
      await closeAfterFailure(parts, opened);
      throw error;
    }
    await limit.wait("the closing of what it opened", parts.close(opened));
  } catch (error) {
    throw error instanceof NotAdmittedError ? error : calls.addTo(error);
  } finally {
    limit.stop();
  }
}

async function openWithin<Opened>(
  parts: Pick<CaseParts<Opened, unknown>, "id" | "open" | "close">,
  limit: TimeLimit,
): Promise<Opened> {
  const opening = parts.open();
  try {
    return await limit.wait("the factory", opening);
  } catch (error) {
    // A subject that comes later is closed, too.
    if (error instanceof TimeLimitError) opening.then(parts.close).catch(() => undefined);
    throw error;
  }
}

async function holdOn<Opened, Stage>(parts: CaseParts<Opened, Stage>, opened: Opened, calls: LastCall): Promise<void> {
  await parts.holds(parts.admit(opened, calls));
}

/** Closes what a law left in whatever state. It hides no error of the law, and waits a while at most. */
async function closeAfterFailure<Opened>(
  parts: Pick<CaseParts<Opened, unknown>, "id" | "open" | "close">,
  opened: Opened,
): Promise<void> {
  const limit = new TimeLimit(limits.closeMs, (awaited) => `${parts.id}: ${awaited} did not end.`);
  try {
    await limit.wait("closing", parts.close(opened));
  } catch {
    // What is told is why the law failed.
  } finally {
    limit.stop();
  }
}
