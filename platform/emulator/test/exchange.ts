import { versionFor, type Reply } from './test-emulator.ts'

export interface Exchange {
  readonly method: string
  readonly url: string
  readonly requestHeaders: Record<string, string>
  readonly requestBody: string | undefined
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

/** Returns the exchange of a call to `TestEmulator.arm` with this reply. */
export function exchangeOf(method: string, path: string, body: unknown, reply: Reply): Exchange {
  return {
    method,
    url: `https://management.azure.com${path}?api-version=${versionFor(path)}`,
    requestHeaders: { 'content-type': 'application/json' },
    requestBody: body === undefined ? undefined : JSON.stringify(body),
    status: reply.status,
    headers: Object.fromEntries(reply.headers),
    body: reply.body === undefined ? '' : JSON.stringify(reply.body),
  }
}
