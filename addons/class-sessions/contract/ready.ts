import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import {
  day,
  instant,
  storedDay,
  timeOfDay,
  trainingRef,
  storedTime,
  storedTimeZone,
} from '@trainyard/platform/contract/shapes.ts'

const admins = ['admin', 'superadmin'] as const

const moment = { date: day, time: timeOfDay }

const readyBy = z.object({
  date: storedDay,
  time: storedTime,
  readyAt: instant,
  /** Time at which the machines are started. Before that time, the value is an estimate. */
  startsAt: instant,
  state: z.enum(['waiting', 'started', 'missed']),
  /** True if a session created the ready time. */
  ofSession: z.boolean().meta({ examples: [false] }),
  total: z.int().meta({ examples: [24] }),
  ready: z.int().meta({ examples: [2] }),
  others: z.array(z.object({ name: z.string(), email: z.string(), reason: z.string() })).meta({ examples: [[]] }),
})
export type ReadyBy = z.output<typeof readyBy>

export const ready = {
  list: call({
    route: 'GET /azure/readyBy',
    for: admins,
    instructors: true,
    public: { scope: 'schedule:read', operation: 'listReadyTimes' },
    does: "Lists the times at which a training's machines must be ready, and how many are ready.",
    query: trainingRef,
    reply: z.object({ timeZone: storedTimeZone, readyBy: z.array(readyBy) }),
  }),
  plan: call({
    route: 'POST /azure/readyBy',
    for: admins,
    instructors: true,
    public: { scope: 'schedule:write', operation: 'planReadyTime' },
    does: "Schedules a training's machines to be started early enough to be ready at the given time.",
    audit: 'scheduled machines to be ready at a time',
    body: trainingRef.extend(moment),
    once: true,
  }),
  cancel: call({
    route: 'DELETE /azure/readyBy',
    for: admins,
    instructors: true,
    public: { scope: 'schedule:write', operation: 'cancelReadyTime' },
    does: 'Cancels a ready time. Machines that were already started keep running.',
    audit: 'cancelled a time for machines to be ready',
    query: trainingRef.extend(moment),
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    ready: typeof ready
  }
}
