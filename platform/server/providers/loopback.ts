import { isIPv4 } from 'node:net'

/** Returns true if a URL's host is a loopback address or `localhost`; no other name counts. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase()
  return name === 'localhost' || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'))
}
