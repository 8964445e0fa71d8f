import { createHttpHeaders, type HttpClient } from '@azure/core-rest-pipeline'
import type { AzureSettings } from '@trainyard/azure/server/clients.ts'
import { emulatorCredential } from '@trainyard/azure/server/credentials.ts'

export interface Reply {
  readonly status?: number
  /** Body: an object is sent as JSON, a text unchanged. */
  readonly body?: object | string
  readonly headers?: Readonly<Record<string, string>>
}

export const SUBSCRIPTION = '00000000-0000-4000-8000-000000000001'

/** Returns settings whose HTTP client answers with `reply(method, path within the subscription, query)`. */
export function wireOf(
  reply: (method: string, path: string, query: URLSearchParams) => Reply,
  requests: string[] = [],
): AzureSettings {
  const wire: HttpClient = {
    async sendRequest(request) {
      const { pathname, searchParams } = new URL(request.url)
      const path = pathname.replace(`/subscriptions/${SUBSCRIPTION}`, '')
      requests.push(`${request.method} ${path}`)
      const { status = 200, body = '', headers = {} } = reply(request.method, path, searchParams)
      const sentHeaders = { 'content-type': 'application/json', date: new Date().toUTCString(), ...headers }
      const bodyAsText = typeof body === 'string' ? body : JSON.stringify(body)
      return { request, status, headers: createHttpHeaders(sentHeaders), bodyAsText }
    },
  }
  return { subscriptionId: SUBSCRIPTION, credential: emulatorCredential(), http: () => wire, readEveryMs: 1 }
}

export const ABSENT: Reply = { status: 404, body: { error: { code: 'ResourceNotFound', message: 'Not found.' } } }
