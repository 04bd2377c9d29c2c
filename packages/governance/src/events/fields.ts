import * as z from "zod/mini";
import { limits } from "../limits.ts";

/**
 * What an event's field holds, and so whether telemetry may show it. `text` may be of a user or of a model, and never
 * is shown; `name` is shown where telemetry knows it from elsewhere; the others cannot carry content.
 */
export type EventField =
  | { readonly kind: "text" | "name" | "count" | "flag" }
  | { readonly kind: "choice"; readonly of: readonly string[] };

export const text = { kind: "text" } as const;
export const name = { kind: "name" } as const;
export const count = { kind: "count" } as const;
export const flag = { kind: "flag" } as const;
export const choice = <const Of extends readonly string[]>(...of: Of) => ({ kind: "choice", of }) as const;

export type ValueOf<Field extends EventField> = Field extends { readonly kind: "choice"; readonly of: infer Of }
  ? Of extends readonly string[]
    ? Of[number]
    : never
  : Field extends { readonly kind: "count" }
    ? number
    : Field extends { readonly kind: "flag" }
      ? boolean
      : string;

export function fieldSchema(field: EventField): z.ZodMiniType {
  switch (field.kind) {
    case "text":
      return z.string().check(z.maxLength(limits.eventTextCharsMax));
    case "name":
      return z.string().check(z.maxLength(limits.nameCharsMax));
    case "count":
      return z.number().check(z.gte(0));
    case "flag":
      return z.boolean();
    case "choice":
      return z.enum(field.of as [string, ...string[]]);
  }
}
