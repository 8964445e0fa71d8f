/** A line that this shell can't read. */
export class ShellSyntaxError extends Error {
  override readonly name = 'ShellSyntaxError'
}
