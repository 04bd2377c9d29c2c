import type { RenderedPrompt } from "@cm/object-model";
import type { Line } from "./line.ts";
import type { Figures } from "./managed.ts";

/** What the newest request weighs, and what all of them were billed. */
export function figuresOf({ session }: Line, { chars }: RenderedPrompt): Figures {
  const { ledger } = session.view();
  const { requests, billed, plainBilled, plainChars, headChars } = ledger;
  return { contextChars: chars + headChars, plainChars: plainChars + headChars, billed, plainBilled, requests };
}
