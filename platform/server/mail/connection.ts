import { type EgressProxy, proxyFor } from '../providers/egress.ts'
import { isLoopback } from '../providers/loopback.ts'

/** @param timeout limit in milliseconds for the DNS lookup, the connection, the greeting and socket inactivity */
export function connectionOf(url: string, timeout: number, egress: EgressProxy | null = null) {
  const { hostname } = new URL(url)
  const proxy = isLoopback(hostname) ? null : proxyFor(new URL(`https://${hostname}`), egress)
  return {
    url,
    ...(proxy !== null && { proxy }),
    // TLS is required, because emails contain passwords and one-time links. Loopback traffic cannot be intercepted.
    requireTLS: !isLoopback(hostname),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    dnsTimeout: timeout,
  }
}
