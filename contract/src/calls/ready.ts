import { z } from 'zod'
import { defineCall } from '../call.ts'
import { instant, message, ofTraining } from './shapes.ts'

const admins = ['admin', 'superadmin'] as const

const moment = {
  date: z.iso.date('must be a date such as 2026-01-31'),
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 09:30'),
}

const readyBy = z.object({
  ...moment,
  readyAt: instant,
  /** When the machines are started; before that the best that is known of it. */
  startsAt: instant,
  state: z.enum(['waiting', 'started', 'missed']),
  total: z.int(),
  ready: z.int(),
  /** The machines that let nobody in yet, once they were started, each with why. */
  others: z.array(z.object({ name: z.string(), email: z.string(), reason: z.string() })),
})
export type ReadyBy = z.output<typeof readyBy>

export const ready = {
  list: defineCall({
    method: 'GET',
    path: '/azure/readyBy',
    roles: admins,
    summary: "When a training's machines are to be ready, and how many are.",
    query: ofTraining,
    reply: z.object({ timeZone: z.string(), readyBy: z.array(readyBy) }),
  }),
  plan: defineCall({
    method: 'POST',
    path: '/azure/readyBy',
    roles: admins,
    summary: "Has a training's machines started as early as they need to be ready at that time.",
    body: ofTraining.extend(moment),
    reply: message,
    creates: true,
  }),
  cancel: defineCall({
    method: 'DELETE',
    path: '/azure/readyBy',
    roles: admins,
    summary: 'Takes a time at which machines are to be ready back; those that were started run on.',
    query: ofTraining.extend(moment),
    reply: message,
  }),
}
