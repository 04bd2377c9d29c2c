/** A program's or builtin's name without its path, in characters that mean the same to every shell. */
export const programName: RegExp = /^[A-Za-z0-9_.:+[\]-]+$/;
