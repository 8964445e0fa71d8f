/** The one-letter options that each command knows; a command that is not named takes none. */
const KNOWN: Readonly<Record<string, string>> = {
  ls: 'al1',
  mkdir: 'p',
  rm: 'rRf',
  uname: 'asnrm',
  wc: 'lwc',
  grep: 'ivnc',
  head: 'n',
  tail: 'n',
  echo: 'ne',
  shutdown: 'hP',
}
/** Commands that read their words by themselves. */
const FREE = new Set(['sudo', 'exit', 'seq', 'true', 'false'])

/**
 * Returns the sentence that refuses an option this machine does not know, or null. An option that is passed over would
 * make the answer false.
 */
export function refusedOption(name: string, args: readonly string[]): string | null {
  if (FREE.has(name)) return null
  for (const arg of args) {
    if (name === 'echo' && !/^-[a-zA-Z]+$/.test(arg)) return null
    if (!arg.startsWith('-') || arg === '-' || /^-\d+$/.test(arg)) continue
    const unknown = arg.startsWith('--')
      ? arg
      : Array.from(arg.slice(1)).find((each) => !(KNOWN[name] ?? '').includes(each))
    if (unknown !== undefined) return `${name}: option ${unknown} is not known here: this machine is emulated\n`
  }
  return null
}
