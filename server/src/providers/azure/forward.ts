import { createHttpHeaders, createPipelineRequest, type HttpClient } from '@azure/core-rest-pipeline'

/** Changes only the socket's target: the SDK refuses plain http, and links in responses must keep Azure's host. */
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
