import type { Layout, Renderer } from "@cm/context-log";
import { quietPolicy } from "./policies.ts";

/** A renderer with the policy that decides nothing. */
export const quietly = (renderer: Renderer): Layout => ({ policy: quietPolicy, renderer });
