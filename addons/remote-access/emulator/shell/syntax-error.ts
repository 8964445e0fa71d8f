export class ShellSyntaxError extends Error {
  override readonly name = 'ShellSyntaxError'
}
