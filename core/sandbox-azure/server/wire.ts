import type { Context, Middleware } from '@microsoft/microsoft-graph-client'
import type { TokenCredential } from '@azure/identity'

export interface GraphSettings {
  readonly credential: TokenCredential
  readonly emulatorUrl?: string
  readonly send?: typeof fetch
}

const SCOPE = 'https://graph.microsoft.com/.default'

/**
 * Returns a client with its own middleware. The default chain retries, which hides throttling and uses up the lease,
 * and omits the token without https.
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
