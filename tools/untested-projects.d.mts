/** The names of projects whose tests have not passed as all that they depend on is now; undefined where Nx could not say. */
export function untestedProjects(root: string): string[] | undefined;
/** Keeps that the tests of these projects passed. */
export function keepTested(root: string, names: readonly string[]): void;
/** What git sees of the working folder: it differs where a file does. */
export function workingState(root: string): string;
