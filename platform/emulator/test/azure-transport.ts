import { createHttpHeaders, type HttpClient } from '@azure/core-rest-pipeline'
import type { Exchange } from './exchange.ts'

/** Observer that receives each exchange before the client does. */
export type Watch = (exchange: Exchange) => void | Promise<void>

/** Returns the HTTP transport for Azure's clients that sends requests to the emulator. URLs keep Azure's host. */
export function azureTransport(url: string, watch: Watch = () => {}): HttpClient {
  return {
    async sendRequest(request) {
      const azureUrl = new URL(request.url)
      const requestHeaders = request.headers.toJSON()
      const requestBody = typeof request.body === 'string' ? request.body : undefined
      const response = await fetch(url + azureUrl.pathname + azureUrl.search, {
        method: request.method,
        headers: requestHeaders,
        ...(requestBody === undefined ? {} : { body: requestBody }),
      })
      const headers = Object.fromEntries(response.headers)
      const body = await response.text()
      await watch({
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
}

export const azureCredential = {
  getToken: async () => ({ token: 'of-a-test', expiresOnTimestamp: Date.now() + 3_600_000 }),
}
