import { setTimeout as pause } from 'node:timers/promises'
import { CloudError } from '../providers/errors.ts'
import { LifeError } from './life.ts'

/** How a life waits for what takes a provider its time. */
export interface Patience {
  readonly signal: AbortSignal
  /** Milliseconds between two looks, where the provider asks for no longer pause. */
  readonly pollMs: number
}

/**
 * Asks again and again, until there is an answer. What a provider refuses for now (asked too fast, another operation at
 * work, no answer) is asked again; what it refuses for good is thrown.
 */
export async function until<T>(event: string, { signal, pollMs }: Patience, look: () => Promise<T | null>): Promise<T> {
  let last = ''
  while (!signal.aborted) {
    let wait = pollMs
    try {
      const found = await look()
      if (found !== null) return found
    } catch (error) {
      if (!(error instanceof CloudError) || !PASSES.has(error.kind) || error.final) throw error
      last = ` The last answer: ${error.message}`
      wait = Math.max(wait, (error.retryAfter ?? 0) * 1000)
    }
    await pause(wait, undefined, { signal }).catch(() => {})
  }
  const ended = isTimeout(signal.reason) ? 'Its time was up' : 'It was called off'
  throw new LifeError(`${ended} before ${event}.${last}`)
}

const isTimeout = (reason: unknown): boolean => reason instanceof DOMException && reason.name === 'TimeoutError'

const PASSES = new Set(['throttled', 'conflict', 'unreachable'])

/** Asks until the request is taken. */
export const untilTaken = <T>(request: string, patience: Patience, send: () => Promise<T>): Promise<T> =>
  until(`${request} was taken`, patience, async () => ({ answer: await send() })).then(({ answer }) => answer)
