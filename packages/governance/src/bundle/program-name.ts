/** A program's or builtin's name without its path, in characters that mean the same to every shell. */
export const programName: RegExp = /^[A-Za-z0-9_.:+[\]-]+$/;

/** Some filesystems ignore case, and some a suffix: a program is the same under each of these names. */
export const plainProgram = (program: string): string => program.toLowerCase().replace(/\.(?:exe|com|bat|cmd)$/, "");
