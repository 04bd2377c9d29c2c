/** Functions by name: how many arguments they take, and what they give. */
export const functions = {
  min: { least: 1, most: Number.POSITIVE_INFINITY, of: (...values) => Math.min(...values) },
  max: { least: 1, most: Number.POSITIVE_INFINITY, of: (...values) => Math.max(...values) },
  abs: { least: 1, most: 1, of: (value) => Math.abs(value) },
  round: { least: 1, most: 1, of: (value) => Math.floor(value + 0.5) },
  floor: { least: 1, most: 1, of: (value) => Math.floor(value) },
  ceil: { least: 1, most: 1, of: (value) => Math.ceil(value) },
  sum: { least: 0, most: Number.POSITIVE_INFINITY, of: (...values) => total(values) },
  mean: { least: 1, most: Number.POSITIVE_INFINITY, of: (...values) => total(values) / values.length },
  clamp: { least: 3, most: 3, of: (value, low, high) => Math.min(Math.max(value, low), high) },
};

function total(values) {
  return values.reduce((sum, value) => sum + value, 0);
}
