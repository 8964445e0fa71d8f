import { createHttpHeaders, createPipelineRequest, type HttpClient } from '@azure/core-rest-pipeline'

/**
 * Sends requests to another socket, but leaves their URLs unchanged: the SDK refuses plain http, and links in responses
 * must keep Azure's host.
 */
export function forwardTo(base: string, client: HttpClient): HttpClient {
  return {
    async sendRequest(request) {
      const original = new URL(request.url)
      const url = new URL(original.pathname + original.search, base).href
      const headers = createHttpHeaders({ ...request.headers.toJSON({ preserveCase: true }), Host: original.host })
      // Azure's SDK sets an agent if the environment names a proxy. The emulator is reached directly.
      const { agent: _proxy, ...direct } = request
      const forwarded = createPipelineRequest({ ...direct, url, headers, allowInsecureConnection: true })
      const response = await client.sendRequest(forwarded)
      return { ...response, request }
    },
  }
}
