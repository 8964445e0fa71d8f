import type { PipelineResponse } from '@azure/core-rest-pipeline'
import { CloudError } from '../errors.ts'
import { asCloudError, saysAbsent } from './errors.ts'

/** Azure's answer: when (by its own clock), with which status, and what. */
export interface Answer<T> {
  readonly at: Date
  readonly status: number
  readonly body: T
}

/** The options that every call hands to the SDK. */
export interface CallOptions {
  readonly abortSignal: AbortSignal
  readonly onResponse: (response: PipelineResponse, body: unknown) => void
}

/** One call takes at most this long. */
const TIME_LIMIT = 30_000

/** Sends one plain request. `doing` says what it is for, in words that complete 'asked to ...'. */
export async function ask<T>(
  doing: string,
  signal: AbortSignal,
  send: (options: CallOptions) => Promise<T>,
): Promise<Answer<T>> {
  let answered: PipelineResponse | undefined
  try {
    const body = await send({
      abortSignal: limited(signal),
      onResponse: (response) => {
        readable(response, doing)
        answered = response
      },
    })
    return { at: instantOf(answered), status: answered?.status ?? 200, body }
  } catch (problem) {
    throw asCloudError(problem, doing)
  }
}

/** Like `ask`, with null in place of the body when there is no such thing. */
export async function find<T>(
  doing: string,
  signal: AbortSignal,
  send: (options: CallOptions) => Promise<T>,
): Promise<Answer<T | null>> {
  let at: Date | undefined
  try {
    return await ask(doing, signal, (options) =>
      send({
        ...options,
        onResponse: (response, body) => {
          at = instantOf(response)
          options.onResponse(response, body)
        },
      }),
    )
  } catch (problem) {
    if (saysAbsent(problem)) return { at: at ?? instantOf(undefined), status: 404, body: null }
    throw problem
  }
}

/** The facts in an accepted order about the resource it makes; none for a start, a stop or a deletion. */
export interface Made {
  readonly id?: string
  readonly provisioningState?: string
  /** Of a public address. */
  readonly ipAddress?: string
}

/** Thrown out of the SDK to leave it as soon as the first answer is in. */
class Taken extends Error {
  readonly answer: Answer<Made>

  constructor(answer: Answer<Made>) {
    super('Azure took the request')
    this.answer = answer
  }
}

/**
 * Sends the first request of a long operation and answers once Azure took it. The SDK's `beginX` polls once more
 * before it hands over its poller, whatever the options say (core-lro's `poll()`); there is no other way to make
 * just the one request with the SDK's own operation than to leave by an exception when its answer arrives. No failure
 * quotes the `secret` that is sent with it.
 */
export async function order(
  doing: string,
  signal: AbortSignal,
  begin: (options: CallOptions) => Promise<unknown>,
  secret?: string,
): Promise<Answer<Made>> {
  try {
    await begin({
      abortSignal: limited(signal),
      onResponse: (response, body) => {
        if (response.status >= 400) return
        readable(response, doing)
        throw new Taken({ at: instantOf(response), status: response.status, body: madeIn(body) })
      },
    })
  } catch (problem) {
    if (problem instanceof Taken) return problem.answer
    throw asCloudError(problem, doing, secret)
  }
  throw new CloudError('unreachable', `Azure gave no answer when asked to ${doing}.`)
}

function madeIn(body: unknown): Made {
  if (typeof body !== 'object' || body === null) return {}
  const said = Object.entries(body).filter(([field, value]) => MADE.has(field) && typeof value === 'string')
  return Object.fromEntries(said)
}

const MADE: ReadonlySet<string> = new Set(['id', 'provisioningState', 'ipAddress'] satisfies (keyof Made)[])

function limited(signal: AbortSignal): AbortSignal {
  // The SDK's own time-out ends when the headers are in; a body that never ends needs this one.
  return AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT)])
}

/**
 * A page of some proxy with status 200 deserialises to an empty object, and a body that the operation has no use for
 * is not even looked at: refuse what can't be read before it is believed.
 */
function readable(response: PipelineResponse, doing: string) {
  const text = response.bodyAsText ?? ''
  if (response.status >= 400 || text === '') return
  if (/\bjson\b/.test(response.headers.get('content-type') ?? '') && isJson(text)) return
  throw new CloudError('unreachable', `Asked Azure to ${doing}, but the answer could not be read.`)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The provider's clock: bills follow it, not ours. Whole seconds, as the Date header has them. */
function instantOf(response: PipelineResponse | undefined): Date {
  const stated = Date.parse(response?.headers.get('date') ?? '')
  return Number.isNaN(stated) ? new Date(Math.floor(Date.now() / 1000) * 1000) : new Date(stated)
}
