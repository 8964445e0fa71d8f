import { createHttpHeaders, createPipelineRequest, type HttpClient } from '@azure/core-rest-pipeline'

/**
 * Sends the SDK's requests for Azure to another server of the same protocol. The SDK's bearer policy refuses plain
 * http, and continuation links are absolute, so the SDK must keep seeing https://management.azure.com: only the
 * socket's target changes. The Host header stays Azure's, so that links in responses point there too.
 */
export function forwardTo(base: string, client: HttpClient): HttpClient {
  return {
    async sendRequest(request) {
      const original = new URL(request.url)
      const url = new URL(original.pathname + original.search, base).href
      const headers = createHttpHeaders({ ...request.headers.toJSON({ preserveCase: true }), Host: original.host })
      const forwarded = createPipelineRequest({ ...request, url, headers, allowInsecureConnection: true })
      const response = await client.sendRequest(forwarded)
      return { ...response, request }
    },
  }
}
