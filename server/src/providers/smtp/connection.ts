import { isLoopback } from '../loopback.ts'

/** @param timeout milliseconds for each of connecting, the greeting and every later silence */
export const connectionOf = (url: string, timeout: number) => ({
  url,
  // Loopback traffic cannot be intercepted. Elsewhere passwords, emails and their one-time links require TLS.
  requireTLS: !isLoopback(new URL(url).hostname),
  connectionTimeout: timeout,
  greetingTimeout: timeout,
  socketTimeout: timeout,
  dnsTimeout: timeout,
})
