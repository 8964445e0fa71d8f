import type { Context, Middleware } from '@microsoft/microsoft-graph-client'
import type { TokenCredential } from '@azure/identity'

export interface GraphSettings {
  readonly credential: TokenCredential
  /** Base URL of a server that speaks the same protocol and receives the requests instead. */
  readonly emulatorUrl?: string
  /** Replaces `fetch`, for tests that record requests and replies. */
  readonly send?: typeof fetch
}

const SCOPE = 'https://graph.microsoft.com/.default'

/**
 * The only middleware between Graph's client and the network. The client's default chain retries on its own, which
 * hides throttling from the reconciler and uses up its lease, and sends no token to an address without https.
 */
export function graphWire({ credential, emulatorUrl, send = fetch }: GraphSettings): Middleware {
  return {
    async execute(context: Context) {
      const original = new URL(typeof context.request === 'string' ? context.request : context.request.url)
      const url = emulatorUrl === undefined ? original : new URL(original.pathname + original.search, emulatorUrl)
      const token = await credential.getToken(SCOPE)
      if (token === null) throw Object.assign(new Error('No token was given.'), { name: 'AuthenticationError' })
      const headers = new Headers(context.options?.headers)
      headers.set('authorization', `Bearer ${token.token}`)
      headers.set('user-agent', 'trainyard')
      context.response = await send(url, { ...context.options, headers })
    },
  }
}
