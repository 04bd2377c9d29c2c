/** All tests of a project, or those of its files without a tag. */
export type Tests = "all" | "fast";
/** The names of projects whose tests have not passed as all that they depend on is now; undefined where Nx could not say. */
export function untestedProjects(root: string, which?: Tests): string[] | undefined;
/** Keeps that the tests of these projects passed: with all of them, the fast ones, too. */
export function keepTested(root: string, names: readonly string[], which?: Tests): void;
/** What git sees of the working folder: it differs where a file does. */
export function workingState(root: string): string;
