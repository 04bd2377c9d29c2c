/** So many percent of an amount in cents, rounded half up. */
export function percent(cents, share) {
  return Math.floor((cents * share) / 100 + 0.5);
}

/** The weight of an order in kilograms. Throws a RangeError where there is none. */
export function weightOf(order, name) {
  const { kilograms } = order;
  if (!Number.isFinite(kilograms) || kilograms <= 0) {
    throw new RangeError(`An order of class ${name} has no weight.`);
  }
  return kilograms;
}
