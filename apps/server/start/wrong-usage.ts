/** Error for a command line that cannot be parsed. The message states the usage. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}

export function rejectArguments(part: string, [first]: readonly string[]): void {
  if (first !== undefined) throw new WrongUsage(`${part} does not accept ${first}. Usage: npm run ${part}`)
}
