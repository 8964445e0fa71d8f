import { createHttpHeaders, type HttpClient } from '@azure/core-rest-pipeline'
import type { Exchange } from '#test/exchange.ts'

/** Told of an exchange before the client is. */
export type Watch = (exchange: Exchange) => void | Promise<void>

/** The last step of any of Azure's clients, turned to the emulator; the addresses stay Azure's. */
export function azureTransport(url: string, watch: Watch = () => {}): HttpClient {
  return {
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
