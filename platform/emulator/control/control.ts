import { z } from 'zod'
import { iso, wholeSecond } from '../clock/clock.ts'
import { parseInput } from './parse-input.ts'
import { faultShape } from '../faults/fault.ts'
import type { Emulated, Mounted } from '../part.ts'

const clockShape = z.strictObject({
  mode: z.enum(['real', 'stepped']).optional(),
  set: z.iso.datetime({ offset: true }).optional(),
  advanceSeconds: z.number().min(0).optional(),
})

/** Calls of tests that no provider has: the record of all parts, the clock, and failures. */
export function mountControl({ server, clock, faults, mailbox, calls }: Emulated, mounted: readonly Mounted[]): void {
  const settle = (now: number): void => mounted.forEach((part) => part.settle?.(now))
  const usual = Object.assign(
    { mails: () => mailbox.all(), calls: () => calls.all() },
    ...mounted.map(({ truth }) => truth),
  ) as Record<string, (now: number) => unknown>
  const parts = Object.assign({ ...usual }, ...mounted.map(({ longTruth }) => longTruth)) as typeof usual
  const clockNow = () => ({ mode: clock.mode, now: iso(clock.now()) })

  server.get('/_truth', async (request, reply) => {
    const now = clock.now()
    settle(now)
    const { part } = request.query as { part?: string }
    const requested = part?.split(',') ?? Object.keys(usual)
    const missing = requested.find((name) => parts[name] === undefined)
    if (missing !== undefined) {
      return reply
        .code(400)
        .send({ error: `Unknown part '${missing}'. Known parts: ${Object.keys(parts).join(', ')}.` })
    }
    const read = await Promise.all(requested.map(async (name) => [name, await parts[name]?.(now)] as const))
    return { now: iso(wholeSecond(now)), ...Object.fromEntries(read) }
  })

  server.get('/_clock', () => clockNow())
  server.post('/_clock', (request, reply) => {
    const read = parseInput(clockShape, request.body)
    const { mode, set, advanceSeconds } = read
    try {
      clock.change({
        ...(mode === undefined ? {} : { mode }),
        ...(set === undefined ? {} : { set: new Date(set) }),
        ...(advanceSeconds === undefined ? {} : { advanceSeconds }),
      })
    } catch (error) {
      if (error instanceof RangeError) return reply.code(400).send({ error: error.message })
      throw error
    }
    settle(clock.now())
    return clockNow()
  })

  server.get('/_faults', () => ({ faults: faults.list() }))
  server.post('/_faults', (request, reply) => {
    const read = parseInput(faultShape, request.body)
    return reply.code(201).send(faults.add(read))
  })
  server.delete('/_faults', (_request, reply) => {
    faults.clear()
    return reply.code(204).send()
  })
  server.delete('/_faults/:id', (request, reply) => {
    const { id } = request.params as { id: string }
    if (faults.remove(Number(id))) return reply.code(204).send()
    return reply.code(404).send({ error: `There is no fault ${id}.` })
  })
}
