/* oxlint-disable unicorn/require-post-message-target-origin -- the rule is for windows; this is a worker thread */
import { Worker } from 'node:worker_threads'
import type { OfficialContract, Verdict } from './contract.ts'

/**
 * Returns the official contract, evaluated in a worker thread: oav compiles each operation on first use, which takes
 * seconds for the network's deep schemas and would block the test's timers and responses.
 */
export function validateInThread(root: string): OfficialContract {
  const thread = new Worker(new URL('validator-thread.ts', import.meta.url), { workerData: root })
  const waiting = new Map<number, PromiseWithResolvers<Verdict>>()
  let count = 0
  thread.on('message', ({ number, verdict }: { number: number; verdict: Verdict }) => {
    waiting.get(number)?.resolve(verdict)
    waiting.delete(number)
    // A test that forgets to call settle must still end.
    if (waiting.size === 0) thread.unref()
  })
  thread.on('error', (problem) => {
    for (const { reject } of waiting.values()) reject(problem)
    waiting.clear()
  })
  thread.unref()
  return {
    validate(exchange) {
      const number = count++
      const answer = Promise.withResolvers<Verdict>()
      waiting.set(number, answer)
      thread.ref()
      thread.postMessage({ number, exchange })
      return answer.promise
    },
  }
}
