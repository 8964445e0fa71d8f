import type { HttpClient } from '@azure/core-rest-pipeline'

export interface AzureCall {
  readonly method: string
  readonly path: string
  readonly status: number | null
  readonly milliseconds: number
  /** Request ID, which Azure's support requires. */
  readonly requestId: string | null
}

export function logged(wire: HttpClient, log: (call: AzureCall) => void): HttpClient {
  return {
    async sendRequest(request) {
      const startedAt = performance.now()
      const note = (status: number | null, requestId: string | null) => {
        const milliseconds = Math.round(performance.now() - startedAt)
        log({ method: request.method, path: new URL(request.url).pathname, status, milliseconds, requestId })
      }
      try {
        const response = await wire.sendRequest(request)
        note(response.status, response.headers.get('x-ms-request-id') ?? null)
        return response
      } catch (problem) {
        note(null, null)
        throw problem
      }
    },
  }
}
