import proxyAddr from '@fastify/proxy-addr'

/** Reverse proxies by address, or their number. */
export type TrustedProxies = readonly string[] | number

/**
 * Returns a function that is true for trusted hops of a request. Hop 0 is the peer of the connection. The client is the
 * first hop that is not trusted; what a client wrote into `X-Forwarded-For` lies behind it.
 */
export const trustOf = (proxies: TrustedProxies): ((address: string, hop: number) => boolean) =>
  typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxyAddr.compile([...proxies])
