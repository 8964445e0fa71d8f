import { z } from 'zod'
import { defineCall } from '../call.ts'
import { RUN_CAUSES } from '../words/run.ts'
import { instant, message, name, ofTraining } from './shapes.ts'

const people = ['user', 'admin', 'superadmin'] as const

const cause = z.enum(Object.keys(RUN_CAUSES) as [keyof typeof RUN_CAUSES])

/** The portal's own observation, with the provider's instant of it, which the run was fitted to. */
const transition = z.object({ cause, told: instant })

/** Up to which instant what still runs is counted. */
const asOf = instant

const billLine = z.object({
  machine: z.string(),
  email: z.string(),
  /** At its order, browser access included. */
  paisePerHour: z.int(),
  guacamole: z.boolean(),
  runs: z.int(),
  seconds: z.int(),
  amountPaise: z.int(),
})
export type BillLine = z.output<typeof billLine>

export const meter = {
  logs: defineCall({
    method: 'GET',
    path: '/azure/logs',
    roles: people,
    summary: "A machine's runs, newest first; stop is null while it runs, duration is in minutes.",
    query: z.strictObject({ vmName: name }),
    reply: z.object({
      logs: z.array(z.object({ start: instant, stop: instant.nullable(), duration: z.number() })),
    }),
  }),
  bill: defineCall({
    method: 'GET',
    path: '/azure/billing',
    roles: people,
    summary:
      'What a training has used (hours) and cost (rupees), and how many machines are on and off; with `lines` also what the amount is made of, of the same instant.',
    query: ofTraining.extend({ lines: z.literal('yes').optional() }),
    reply: z.object({
      Amount: z.number(),
      Duration: z.number(),
      Status: z.object({ online: z.int(), offline: z.int() }),
      /** A line a machine, whose amounts add up to it: where it was asked for. */
      lines: z.array(billLine).optional(),
      /** Up to which instant what still runs is counted; beside the lines. */
      asOf: instant.optional(),
    }),
  }),
  daily: defineCall({
    method: 'GET',
    path: '/azure/usage',
    roles: ['user', 'admin', 'superadmin'],
    summary:
      "What a training used (hours) and cost (rupees) on each of the last days of the organisation's zone, oldest first; days without a run are there with 0. A user's own machines alone.",
    query: ofTraining.extend({ days: z.enum(['7', '30', '90']).optional() }),
    reply: z.object({
      timeZone: z.string(),
      days: z.array(z.object({ date: z.string(), hours: z.number(), amountPaise: z.int() })),
    }),
  }),
  runs: defineCall({
    method: 'GET',
    path: '/azure/billing/runs',
    roles: ['user', 'admin', 'superadmin'],
    summary:
      "What a machine's line is made of: its runs, oldest first, with what opened and closed each. The amount is the sum of paiseSeconds / 3600 paise, rounded half up once.",
    query: z.strictObject({ vmName: name }),
    reply: z.object({
      asOf,
      amountPaise: z.int(),
      runs: z.array(
        z.object({
          start: instant,
          stop: instant.nullable(),
          seconds: z.int(),
          paisePerHour: z.int(),
          /** Seconds x paise an hour, exact. */
          paiseSeconds: z.int(),
          opened: transition,
          closed: transition.nullable(),
        }),
      ),
    }),
  }),
  reconciliation: defineCall({
    method: 'GET',
    path: '/admin/reconciliation',
    roles: ['superadmin'],
    summary:
      "The last thirty days, newest first, each compared with the provider's own record: machines, seconds on both sides, and where they differ. Nothing is mended.",
    reply: z.object({
      days: z.array(
        z.object({
          /** A day of UTC. */
          date: z.string(),
          comparedAt: instant,
          machines: z.int(),
          secondsHere: z.int(),
          secondsThere: z.int(),
          differences: z.array(
            z.object({
              machine: z.string(),
              organization: z.string().nullable(),
              secondsHere: z.int(),
              secondsThere: z.int(),
            }),
          ),
        }),
      ),
    }),
  }),
  uncharged: defineCall({
    method: 'GET',
    path: '/admin/usage/uncharged',
    roles: ['superadmin'],
    summary:
      'The last twelve months that have ended, newest first, with the usage of each that no invoice charges yet.',
    query: z.strictObject({ organization: name }),
    reply: z.object({ months: z.array(z.object({ month: z.string(), amountPaise: z.int() })) }),
  }),
  clearLogs: defineCall({
    method: 'DELETE',
    path: '/admin/logs',
    roles: ['superadmin'],
    summary: "Empties a training's log screen. Bills and quotas do not change.",
    body: ofTraining,
    reply: message,
  }),
}
