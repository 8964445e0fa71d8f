import {
  createHttpHeaders,
  createPipelineRequest,
  type HttpClient,
  type PipelineResponse,
} from '@azure/core-rest-pipeline'
import { errorsIn } from './error-body.ts'
import { memoize } from './memoize.ts'

/** Milliseconds during which a registration is not repeated. A registration takes one to two minutes. */
const CACHE_MS = 2 * 60_000
const API_VERSION = '2024-11-01'

/** Registers missing resource providers. The request that needs one fails nevertheless and is retried later. */
export function withRegistration(wire: HttpClient, subscriptionId: string): HttpClient {
  const registrations = memoize<PipelineResponse>(CACHE_MS)
  return {
    async sendRequest(request) {
      const response = await wire.sendRequest(request)
      const namespace = missingIn(response)
      if (namespace !== null) {
        const url = new URL(`/subscriptions/${subscriptionId}/providers/${namespace}/register`, request.url)
        url.searchParams.set('api-version', API_VERSION)
        const headers = createHttpHeaders({ authorization: request.headers.get('authorization') ?? '' })
        const { timeout, abortSignal } = request
        const limits = { timeout, ...(abortSignal === undefined ? {} : { abortSignal }) }
        const register = createPipelineRequest({ method: 'POST', url: url.href, headers, ...limits })
        await registrations.get(namespace.toLowerCase(), () => wire.sendRequest(register)).catch(() => {})
      }
      return response
    },
  }
}

/** Source of the message's format: Azure's documentation of error-register-resource-provider. */
function missingIn({ status, bodyAsText }: PipelineResponse): string | null {
  if (status !== 409) return null
  const missing = errorsIn(bodyAsText).find(({ code }) => code === 'MissingSubscriptionRegistration')
  return /namespace '([\w.]+)'/.exec(missing?.message ?? '')?.[1] ?? null
}
