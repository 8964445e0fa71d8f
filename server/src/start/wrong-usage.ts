/** A command that can't be read as it was typed: a sentence for who typed it, with how it wants to be typed. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}

/** @throws WrongUsage where a part that takes no arguments was given one */
export function takesNone(part: string, [first]: readonly string[]): void {
  if (first !== undefined) throw new WrongUsage(`${part} takes no ${first}: npm run ${part}`)
}
