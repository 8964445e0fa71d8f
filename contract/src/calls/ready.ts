import { z } from 'zod'
import { defineCall } from '../call.ts'
import { day, instant, message, storedDay, timeOfDay, trainingRef } from './shapes.ts'

const admins = ['admin', 'superadmin'] as const

const moment = { date: day, time: timeOfDay }

const readyBy = z.object({
  date: storedDay,
  time: z.string(),
  readyAt: instant,
  /** Time at which the machines are started. Before that time, the value is an estimate. */
  startsAt: instant,
  state: z.enum(['waiting', 'started', 'missed']),
  /** True if a session created the ready time. */
  ofSession: z.boolean(),
  total: z.int(),
  ready: z.int(),
  others: z.array(z.object({ name: z.string(), email: z.string(), reason: z.string() })),
})
export type ReadyBy = z.output<typeof readyBy>

export const ready = {
  list: defineCall({
    method: 'GET',
    path: '/azure/readyBy',
    roles: admins,
    instructors: true,
    freshProof: 'none: reads only',
    publicApi: { scope: 'schedule:read', operation: 'listReadyTimes' },
    summary: "Lists the times at which a training's machines must be ready, and how many are ready.",
    query: trainingRef,
    reply: z.object({ timeZone: z.string(), readyBy: z.array(readyBy) }),
  }),
  plan: defineCall({
    method: 'POST',
    path: '/azure/readyBy',
    roles: admins,
    instructors: true,
    freshProof: 'none: changes labs, not how users sign in',
    publicApi: { scope: 'schedule:write', operation: 'planReadyTime' },
    summary: "Schedules a training's machines to be started early enough to be ready at the given time.",
    body: trainingRef.extend(moment),
    reply: message,
    creates: true,
  }),
  cancel: defineCall({
    method: 'DELETE',
    path: '/azure/readyBy',
    roles: admins,
    instructors: true,
    freshProof: 'none: changes labs, not how users sign in',
    publicApi: { scope: 'schedule:write', operation: 'cancelReadyTime' },
    summary: 'Cancels a ready time. Machines that were already started keep running.',
    query: trainingRef.extend(moment),
    reply: message,
  }),
}
