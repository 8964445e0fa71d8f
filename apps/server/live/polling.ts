import { setTimeout as pause } from 'node:timers/promises'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { ScenarioError } from './scenario.ts'

export interface Polling {
  readonly signal: AbortSignal
  readonly pollMs: number
}

/**
 * Polls until the condition is true. Temporary refusals (throttled, conflicting operation, unreachable) are retried;
 * final ones are thrown.
 */
export async function until<T>(
  event: string,
  { signal, pollMs }: Polling,
  callback: () => Promise<T | null>,
): Promise<T> {
  let last = ''
  while (!signal.aborted) {
    let wait = pollMs
    try {
      const found = await callback()
      if (found !== null) return found
    } catch (error) {
      if (!(error instanceof CloudError) || !PASSES.has(error.kind) || error.final) throw error
      last = ` The last answer: ${error.message}`
      wait = Math.max(wait, (error.retryAfter ?? 0) * 1000)
    }
    await pause(wait, undefined, { signal }).catch(() => {})
  }
  const ended = isTimeout(signal.reason) ? 'The time limit passed' : 'The run was interrupted'
  throw new ScenarioError(`${ended} before ${event}.${last}`)
}

const isTimeout = (reason: unknown): boolean => reason instanceof DOMException && reason.name === 'TimeoutError'

const PASSES = new Set(['throttled', 'conflict', 'unreachable'])

export const retryUntilAccepted = <T>(request: string, polling: Polling, send: () => Promise<T>): Promise<T> =>
  until(`${request} was taken`, polling, async () => ({ answer: await send() })).then(({ answer }) => answer)
