import type { z } from 'zod'
import { isPath } from '../path-part.ts'
import { PaymentsError } from '../payments.ts'
import { errorReply } from './shapes.ts'

export interface RazorpayKeys {
  readonly keyId: string
  readonly keySecret: string
}

/** Calls of Razorpay's interface. Its npm package knows no time-out and no address but its own. */
export interface RazorpayClient {
  ask<T>(shape: z.ZodType<T>, call: RazorpayCall, signal: AbortSignal): Promise<T>
}

interface RazorpayCall {
  readonly method: 'GET' | 'POST'
  /** Below `/v1`, each part escaped. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  /** The call is made once under it. */
  readonly refundKey?: string
}

/** @param timeout milliseconds for the whole of one call */
export function razorpayClient(
  given: RazorpayKeys & { readonly url: string; readonly timeout: number },
): RazorpayClient {
  const authorization = `Basic ${Buffer.from(`${given.keyId}:${given.keySecret}`).toString('base64')}`
  return {
    async ask(shape, { method, path, query, body, refundKey }, signal) {
      // An escaped part is still `..`, and the address is parsed before it is sent.
      if (!isPath(path)) throw new PaymentsError('refused', 'An id is none of the payment provider: nothing was asked.')
      const url = `${given.url}/v1${path}${query === undefined ? '' : `?${new URLSearchParams(query).toString()}`}`
      const { status, retryAfter, text } = await exchange(url, {
        method,
        headers: {
          authorization,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(refundKey !== undefined && { 'x-refund-idempotency': refundKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(given.timeout)]),
        redirect: 'error',
      })
      if (status !== 200) throw refusalOf(status, retryAfter, text)
      const read = shape.safeParse(parsed(text))
      if (!read.success)
        throw new PaymentsError('unreachable', 'The payment provider sent a reply that can not be read.')
      return read.data
    },
  }
}

async function exchange(url: string, request: RequestInit) {
  try {
    const reply = await fetch(url, request)
    return { status: reply.status, retryAfter: reply.headers.get('retry-after'), text: await reply.text() }
  } catch (cause) {
    throw new PaymentsError('unreachable', 'The payment provider does not answer.', { cause })
  }
}

function refusalOf(status: number, retryAfter: string | null, text: string): PaymentsError {
  if (status === 429) {
    const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : null
    return new PaymentsError('throttled', 'The payment provider is asked too often.', { retryAfter: seconds })
  }
  if (status === 401) return new PaymentsError('unauthorised', 'The payment provider does not accept our key.')
  // The same request is still at work there.
  if (status === 409) return new PaymentsError('unreachable', 'The payment provider is at this request already.')
  if (status >= 500) return new PaymentsError('unreachable', 'The payment provider has an error of its own.')
  const said = errorReply.safeParse(parsed(text))
  return new PaymentsError(
    'refused',
    said.success ? said.data.error.description : `The payment provider refused (${status}).`,
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
