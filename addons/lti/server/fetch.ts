import { LmsError } from './lms-provider.ts'
import {
  type AddressPolicy,
  guardedFetch,
  GuardedFetchError,
} from '@trainyard/platform/server/providers/guarded-fetch.ts'

const TIMEOUT_MS = 10_000

export interface LmsReply {
  readonly status: number
  readonly text: string
  readonly link: string | null
}

export type LmsFetch = (
  url: string,
  init: {
    readonly method: 'GET' | 'POST'
    readonly headers: Record<string, string>
    readonly body?: string
    readonly signal?: AbortSignal
  },
) => Promise<LmsReply>

/**
 * Returns a function that sends requests to addresses that an LMS or an admin chose. Refuses private networks and follows
 * no redirects. The function throws LmsError.
 */
export function lmsFetch(policy: AddressPolicy): LmsFetch {
  const fetchGuarded = guardedFetch(policy)
  return async (url, init) => {
    if (!URL.canParse(url)) throw new LmsError('invalid', 'The LMS named an address that is not valid.')
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(init.signal ? [init.signal] : [])])
      const reply = await fetchGuarded(url, { ...init, signal })
      return { status: reply.status, text: await reply.text(), link: reply.headers.get('link') }
    } catch (error) {
      if (!(error instanceof GuardedFetchError)) throw error
      throw new LmsError(error.kind === 'too-long' ? 'unreachable' : error.kind, error.message, error)
    }
  }
}

export const isWebPage = ({ text }: LmsReply): boolean => /^\s*</.test(text)

/**
 * Returns the JSON object of a reply.
 * @throws LmsError whose message names `expected` and the content that the LMS sent instead
 */
export function objectIn(reply: LmsReply, expected: string, host: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(reply.text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>
  } catch {
    // The missing object is reported below.
  }
  const sent = isWebPage(reply) ? 'a web page' : 'an answer that is not JSON'
  throw new LmsError('invalid', `${host} sent ${sent} instead of ${expected}.`)
}
