/** How strongly operators of two sides bind: larger numbers bind more. */
export const strength = {
  or: 2,
  and: 3,
  "==": 4,
  "!=": 4,
  "<": 4,
  "<=": 4,
  ">": 4,
  ">=": 4,
  "+": 5,
  "-": 5,
  "*": 6,
  "/": 6,
};

export const choiceStrength = 1;
export const prefixStrength = 7;
/** Numbers, names, calls and what stands in parentheses. */
export const atomStrength = 9;

/** Whether `a op b op c` is an error. */
export const isComparison = (operator) => strength[operator] === 4;

export const isBinary = (text) => Object.hasOwn(strength, text);
