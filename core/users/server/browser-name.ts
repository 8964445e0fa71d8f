import { BROWSER_MAP, OS_MAP, parse } from 'bowser'

const BROWSERS = new Set<string>(Object.values(BROWSER_MAP))
const SYSTEMS = new Set<string>(Object.values(OS_MAP))
/** Matches programs that are not browsers. They start with their own name, such as `curl/8.5.0`. */
const PROGRAM = /^[A-Za-z][\w.-]{0,39}(?=\/)/

/**
 * Returns the name of a browser. The header can contain any text, so an unknown name is shown only if it is a plain
 * program name.
 */
export function browserName(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return UNKNOWN
  const { browser, os } = parse(userAgent)
  const name = BROWSERS.has(browser.name ?? '') ? browser.name! : programIn(userAgent)
  return os.name !== undefined && SYSTEMS.has(os.name) ? `${name} on ${os.name}` : name
}

function programIn(userAgent: string): string {
  const program = PROGRAM.exec(userAgent)?.[0]
  return program === undefined || program === 'Mozilla' ? UNKNOWN : program
}

const UNKNOWN = 'Unknown browser'
