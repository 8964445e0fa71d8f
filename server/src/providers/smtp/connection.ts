import { isLoopback } from '../loopback.ts'

/**
 * How a mail server is connected to, in nodemailer's words.
 * @param timeout milliseconds for each of connecting, the greeting and every silence after it
 */
export const connectionOf = (url: string, timeout: number) => ({
  url,
  // To this very machine nobody can listen in; elsewhere a password, an email and its one-time link go encrypted or not.
  requireTLS: !isLoopback(new URL(url).hostname),
  connectionTimeout: timeout,
  greetingTimeout: timeout,
  socketTimeout: timeout,
  dnsTimeout: timeout,
})
