declare global {
  /** Replies to calls that the page made before the application's files had arrived, by address. */
  var earlyReplies: Map<string, Promise<Response>> | undefined
}

/** Timeout of a read-only call, in ms. */
export const READ_LIMIT_MS = 30_000

/** Makes a read-only call before `client.ts` has arrived, which then uses the reply. */
export function requestEarly(address: string, uid: string): Promise<Response> {
  const headers = { accept: 'application/json', authorization: `Bearer ${uid}` }
  const reply = fetch(address, { headers, credentials: 'same-origin', signal: AbortSignal.timeout(READ_LIMIT_MS) })
  globalThis.earlyReplies ??= new Map()
  globalThis.earlyReplies.set(address, reply)
  return reply
}

/** Returns the reply to an early call, once; undefined if there was none. */
export function takeEarly(address: string): Promise<Response> | undefined {
  const reply = globalThis.earlyReplies?.get(address)
  globalThis.earlyReplies?.delete(address)
  return reply
}
