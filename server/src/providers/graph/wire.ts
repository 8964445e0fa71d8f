import type { Context, Middleware } from '@microsoft/microsoft-graph-client'
import type { TokenCredential } from '@azure/identity'

export interface GraphSettings {
  readonly credential: TokenCredential
  /** Base address of a server that speaks the same protocol: requests go there instead. */
  readonly emulatorUrl?: string
  /** Stands in for `fetch`: sees every request and reply as they are. */
  readonly send?: typeof fetch
}

const SCOPE = 'https://graph.microsoft.com/.default'

/**
 * All that stands between Graph's client and the wire. Its own chain would try again by itself, which hides throttling
 * from the reconciler and holds its lease; and it gives no token to an address that is not https.
 */
export function graphWire({ credential, emulatorUrl, send = fetch }: GraphSettings): Middleware {
  return {
    async execute(context: Context) {
      const meant = new URL(typeof context.request === 'string' ? context.request : context.request.url)
      const url = emulatorUrl === undefined ? meant : new URL(meant.pathname + meant.search, emulatorUrl)
      const token = await credential.getToken(SCOPE)
      if (token === null) throw Object.assign(new Error('No token was given.'), { name: 'AuthenticationError' })
      const headers = new Headers(context.options?.headers)
      headers.set('authorization', `Bearer ${token.token}`)
      headers.set('user-agent', 'trainyard')
      context.response = await send(url, { ...context.options, headers })
    },
  }
}
