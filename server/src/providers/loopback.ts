import { isIPv4 } from 'node:net'

/** Returns true when a URL's host is this very machine: by an address of its own or as `localhost`, by no other name. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase()
  return name === 'localhost' || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'))
}
