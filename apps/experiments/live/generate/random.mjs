/** Numbers from a seed: the same files on every machine. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (min, max) => min + Math.floor(next() * (max - min + 1));
  const pick = (values) => values[whole(0, values.length - 1)];
  return { whole, pick };
}
