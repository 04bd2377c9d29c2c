/** What is wrong with a formula, and where: line and column from 1. */
export class FormulaError extends Error {
  constructor(message, { line, column }) {
    super(`${message} (line ${line}, column ${column})`);
    this.name = "FormulaError";
    this.line = line;
    this.column = column;
  }
}
