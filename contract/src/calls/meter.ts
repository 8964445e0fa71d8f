import { z } from 'zod'
import { defineCall } from '../call.ts'
import { RUN_CAUSES } from '../words/run.ts'
import { instant, message, name, trainingRef } from './shapes.ts'

const people = ['user', 'admin', 'superadmin'] as const

const cause = z.enum(Object.keys(RUN_CAUSES) as [keyof typeof RUN_CAUSES])

/** `told` is the provider's timestamp, which determines the run's bounds. */
const transition = z.object({ cause, told: instant })

const asOf = instant

const billLine = z.object({
  machine: z.string(),
  email: z.string(),
  learnerName: z.string().nullable(),
  /** Rate at the time of the order, including browser access. */
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
    freshProof: 'none: reads only',
    publicApi: { scope: 'usage:read', operation: 'listSessions' },
    summary:
      "Lists a machine's runs, newest first. `stop` is null while the machine is running. `duration` is in minutes.",
    query: z.strictObject({ vmName: name }),
    reply: z.object({
      logs: z.array(z.object({ start: instant, stop: instant.nullable(), duration: z.number() })),
    }),
  }),
  bill: defineCall({
    method: 'GET',
    path: '/azure/billing',
    roles: people,
    freshProof: 'none: reads only',
    publicApi: { scope: 'usage:read', operation: 'getBill' },
    summary:
      "Returns a training's usage (hours), cost (rupees) and numbers of running and stopped machines. With `lines` also the breakdown of the amount at the same instant.",
    query: trainingRef.extend({ lines: z.literal('yes').optional() }),
    reply: z.object({
      Amount: z.number(),
      Duration: z.number(),
      Status: z.object({ online: z.int(), offline: z.int() }),
      lines: z.array(billLine).optional(),
      asOf: instant.optional(),
    }),
  }),
  daily: defineCall({
    method: 'GET',
    path: '/azure/usage',
    roles: ['user', 'admin', 'superadmin'],
    freshProof: 'none: reads only',
    publicApi: { scope: 'usage:read', operation: 'getDailyUsage' },
    summary:
      "Returns a training's usage (hours) and cost (paise) per day in the organisation's time zone, oldest first. Days without a run are included with 0. Users get only their own machines.",
    query: trainingRef.extend({ days: z.enum(['7', '30', '90']).optional() }),
    reply: z.object({
      timeZone: z.string(),
      days: z.array(z.object({ date: z.string(), hours: z.number(), amountPaise: z.int() })),
    }),
  }),
  runs: defineCall({
    method: 'GET',
    path: '/azure/billing/runs',
    roles: ['user', 'admin', 'superadmin'],
    freshProof: 'none: reads only',
    publicApi: { scope: 'usage:read', operation: 'listRuns' },
    summary:
      "Returns the runs behind a machine's bill line, oldest first, with the events that started and ended each. The amount is the sum of paiseSeconds / 3600 in paise, rounded half up once.",
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
          /** Seconds multiplied by paise per hour, exact. */
          paiseSeconds: z.int(),
          opened: transition,
          closed: transition.nullable(),
        }),
      ),
    }),
  }),
  uncharged: defineCall({
    method: 'GET',
    path: '/admin/usage/uncharged',
    roles: ['superadmin'],
    freshProof: 'none: reads only',
    summary: 'Lists the last twelve completed months, newest first, with their uninvoiced usage.',
    query: z.strictObject({ organization: name }),
    reply: z.object({ months: z.array(z.object({ month: z.string(), amountPaise: z.int() })) }),
  }),
  clearLogs: defineCall({
    method: 'DELETE',
    path: '/admin/logs',
    roles: ['superadmin'],
    freshProof: 'none: changes accounting, not how users sign in',
    summary: "Clears a training's session logs. Bills and quotas do not change.",
    body: trainingRef,
    reply: message,
  }),
}
