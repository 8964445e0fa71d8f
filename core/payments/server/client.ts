import type { z } from 'zod'
import { isSafePath } from '@trainyard/platform/server/providers/safe-path.ts'
import { PaymentsError } from './payments-provider.ts'
import { errorReply } from './shapes.ts'

export interface RazorpayKeys {
  readonly keyId: string
  readonly keySecret: string
}

/** A client for Razorpay's API. Razorpay's npm package supports neither a timeout nor another base URL. */
export interface RazorpayClient {
  ask<T>(shape: z.ZodType<T>, call: RazorpayCall, signal: AbortSignal): Promise<T>
}

interface RazorpayCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  readonly refundKey?: string
}

export function razorpayClient(
  options: RazorpayKeys & { readonly url: string; readonly timeout: number; readonly send?: typeof fetch },
): RazorpayClient {
  const authorization = `Basic ${Buffer.from(`${options.keyId}:${options.keySecret}`).toString('base64')}`
  return {
    async ask(shape, { method, path, query, body, refundKey }, signal) {
      // Escaping does not change `..`, and fetch resolves it before sending.
      if (!isSafePath(path))
        throw new PaymentsError('refused', 'The id is not one of the payment provider. No request was sent.')
      const url = `${options.url}/v1${path}${query === undefined ? '' : `?${new URLSearchParams(query).toString()}`}`
      const { status, retryAfter, text } = await exchange(options.send ?? fetch, url, {
        method,
        headers: {
          authorization,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(refundKey !== undefined && { 'x-refund-idempotency': refundKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(options.timeout)]),
        redirect: 'error',
      })
      if (status !== 200) throw refusalOf(status, retryAfter, text)
      const read = shape.safeParse(parsed(text))
      if (!read.success)
        throw new PaymentsError(
          'unreachable',
          'The response of the payment provider could not be read. Try again later.',
        )
      return read.data
    },
  }
}

async function exchange(send: typeof fetch, url: string, request: RequestInit) {
  try {
    const reply = await send(url, request)
    return { status: reply.status, retryAfter: reply.headers.get('retry-after'), text: await reply.text() }
  } catch (cause) {
    throw new PaymentsError('unreachable', 'The payment provider does not respond. Try again later.', { cause })
  }
}

function refusalOf(status: number, retryAfter: string | null, text: string): PaymentsError {
  if (status === 429) {
    const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : null
    return new PaymentsError('throttled', 'The payment provider throttled the request. Try again later.', {
      retryAfter: seconds,
    })
  }
  if (status === 401) return new PaymentsError('unauthorised', "The payment provider rejected the portal's key.")
  if (status === 409)
    return new PaymentsError(
      'unreachable',
      'The payment provider is still processing the same request. Try again later.',
    )
  if (status >= 500)
    return new PaymentsError('unreachable', 'The payment provider reports an internal error. Try again later.')
  const reported = errorReply.safeParse(parsed(text))
  return new PaymentsError(
    'refused',
    reported.success ? reported.data.error.description : `The payment provider refused the request (status ${status}).`,
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
