import type { IncomingMessage } from 'node:http'

/**
 * Returns true for a request with several Host headers. Proxy and portal could read different headers; such a request
 * must
 * be answered with 400 (RFC 9112, 3.2). Node keeps the first one silently.
 */
export const hasSeveralHosts = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length > 1
