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
const FREE = new Set(['sudo', 'exit', 'seq', 'true', 'false', 'test'])

/** Returns the error for an unsupported option, or null. Ignoring an option would produce wrong output. */
export function refusedOption(name: string, args: readonly string[]): string | null {
  if (FREE.has(name)) return null
  for (const arg of args) {
    if (name === 'echo' && !/^-[a-zA-Z]+$/.test(arg)) return null
    if (!arg.startsWith('-') || arg === '-' || /^-\d+$/.test(arg)) continue
    const unknown = arg.startsWith('--')
      ? arg
      : Array.from(arg.slice(1)).find((each) => !(KNOWN[name] ?? '').includes(each))
    if (unknown !== undefined) return `${name}: option ${unknown} is not supported: this machine is emulated\n`
  }
  return null
}
