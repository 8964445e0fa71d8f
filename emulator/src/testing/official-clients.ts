import { ComputeManagementClient } from '@azure/arm-compute'
import { NetworkManagementClient } from '@azure/arm-network'
import { ResourceManagementClient } from '@azure/arm-resources'
import { createHttpHeaders, type HttpClient } from '@azure/core-rest-pipeline'
import { subscription, versionFor, type Reply } from '#src/testing/far-end.ts'

/** A request and its reply as they went over the wire. */
export interface Exchange {
  readonly method: string
  readonly url: string
  readonly requestHeaders: Record<string, string>
  readonly requestBody: string | undefined
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

/** What went over the wire when `FarEnd.arm` was called so and got this reply. */
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

/** Azure's own SDK, its last step turned to the emulator; every exchange is told to `watch`. */
export function officialClients(url: string, watch: (exchange: Exchange) => void) {
  const httpClient: HttpClient = {
    async sendRequest(request) {
      const meant = new URL(request.url)
      const requestHeaders = request.headers.toJSON()
      const requestBody = typeof request.body === 'string' ? request.body : undefined
      const response = await fetch(url + meant.pathname + meant.search, {
        method: request.method,
        headers: requestHeaders,
        ...(requestBody === undefined ? {} : { body: requestBody }),
      })
      const headers = Object.fromEntries(response.headers)
      const body = await response.text()
      watch({
        method: request.method,
        url: request.url,
        requestHeaders,
        requestBody,
        status: response.status,
        headers,
        body,
      })
      return { request, status: response.status, headers: createHttpHeaders(headers), bodyAsText: body }
    },
  }
  const credential = { getToken: async () => ({ token: 'of-a-test', expiresOnTimestamp: Date.now() + 3_600_000 }) }
  const options = { httpClient }
  return {
    compute: new ComputeManagementClient(credential, subscription, options),
    network: new NetworkManagementClient(credential, subscription, options),
    resources: new ResourceManagementClient(credential, subscription, options),
  }
}
