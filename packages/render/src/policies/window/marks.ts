/** A forced fold goes down to this share of the window, so that not every request has to fold. */
export const lowMark = 0.85;

/** Requests in which a text stands before it may be folded as old text. */
export const newestSteps = 2;
