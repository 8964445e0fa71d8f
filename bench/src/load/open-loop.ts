import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from '../figures.ts'

const agent = new Agent({ keepAlive: true })
export const closeConnections = (): void => agent.destroy()

export interface BenchCall {
  readonly url: string
  readonly session?: string
  readonly method?: string
  readonly body?: string
}

/** Resolves with the status of a complete reply, or 0 if there was none. */
export const sendCall = ({ url, session, method = 'GET', body }: BenchCall): Promise<number> =>
  new Promise((resolve) => {
    const headers = {
      'accept-encoding': 'br, gzip',
      ...(session !== undefined && { authorization: `Bearer ${session}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const asking = request(url, { agent, method, headers, timeout: 30_000 }, (reply) => {
      reply
        .resume()
        .once('end', () => resolve(reply.statusCode ?? 0))
        .once('error', () => resolve(0))
    })
    asking
      .once('timeout', () => asking.destroy())
      .once('error', () => resolve(0))
      .end(body)
  })

export interface Step {
  readonly sent: number
  readonly answered: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
  readonly errors: number
}

/** Sends calls when they are due. Durations count from the due time, so that waiting is included. */
export async function openLoop(rate: number, seconds: number, next: (call: number) => BenchCall): Promise<Step> {
  const began = performance.now()
  const times: number[] = []
  let errors = 0
  const sent = Math.round(rate * seconds)
  const answers: Promise<void>[] = []
  for (let call = 0; call < sent;) {
    const due = began + (1_000 * call) / rate
    const wait = due - performance.now()
    if (wait > 1) await pause(wait)
    while (call < sent && began + (1_000 * call) / rate <= performance.now()) {
      const from = began + (1_000 * call) / rate
      answers.push(
        sendCall(next(call++)).then((status) => {
          if (status === 200) times.push(performance.now() - from)
          else errors++
        }),
      )
    }
  }
  await Promise.all(answers)
  const whole = (performance.now() - began) / 1_000
  return {
    sent,
    answered: times.length / whole,
    p50: times.length === 0 ? Number.NaN : percentile(times, 50),
    p99: times.length === 0 ? Number.NaN : percentile(times, 99),
    longest: Math.max(0, ...times),
    errors,
  }
}
