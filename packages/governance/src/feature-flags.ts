import * as z from "zod/mini";
import { failure, fieldsOf } from "./errors.ts";
import { limits } from "./limits.ts";

const name = z.string().check(z.minLength(1), z.maxLength(limits.nameCharsMax));

/** What is switched on for a session. They allow nothing: that is the bundle's. */
export const featureFlags = z.record(name, z.boolean()).check(
  z.refine((flags) => Object.keys(flags).length <= limits.featureFlagsMax, {
    error: `at most ${limits.featureFlagsMax} flags`,
  }),
);
export type FeatureFlags = Readonly<z.infer<typeof featureFlags>>;

/**
 * Reads flags from outside.
 * @throws CmError `governance/invalid-flags` naming those that are wrong
 */
export function parseFlags(value: unknown): FeatureFlags {
  const result = z.safeParse(featureFlags, value);
  if (result.success) return Object.freeze(result.data);
  const fields = fieldsOf(result.error.issues);
  throw failure(
    "governance/invalid-flags",
    `The feature flags are wrong in: ${fields.join(", ")}; each is on or off.`,
    {
      fields,
    },
  );
}
