import {
  createHttpHeaders,
  createPipelineRequest,
  type HttpClient,
  type PipelineResponse,
} from '@azure/core-rest-pipeline'
import { errorIn } from './error-body.ts'
import { once } from './once.ts'

/** A registration takes a minute or two: asked for again sooner, nothing would come of it. */
const REMEMBER = 2 * 60_000
const API_VERSION = '2024-11-01'

/**
 * Registers the resource providers that Azure says a fresh subscription lacks. What was asked for stays refused, and is
 * tried again by whoever asked: a registration goes on for a while after it was taken. Where the portal may not
 * register, the refusal says what is missing.
 */
export function registering(wire: HttpClient, subscriptionId: string): HttpClient {
  const asked = once<PipelineResponse>(REMEMBER)
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
        await asked.get(namespace.toLowerCase(), () => wire.sendRequest(register)).catch(() => {})
      }
      return response
    },
  }
}

/** The namespace that is not registered, from Azure's own words (documented as error-register-resource-provider); null: another error. */
function missingIn({ status, bodyAsText }: PipelineResponse): string | null {
  if (status !== 409) return null
  const { code, message } = errorIn(bodyAsText)
  if (code !== 'MissingSubscriptionRegistration') return null
  return /namespace '([\w.]+)'/.exec(message)?.[1] ?? null
}
