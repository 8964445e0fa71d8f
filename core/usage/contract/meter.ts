import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { RUN_CAUSES } from './run.ts'
import {
  day,
  instant,
  trainingRef,
  machineName,
  storedDay,
  storedTimeZone,
  organisationName,
  trainingName,
} from '@trainyard/platform/contract/shapes.ts'

const people = ['user', 'admin', 'superadmin'] as const

const cause = z.enum(Object.keys(RUN_CAUSES) as [keyof typeof RUN_CAUSES])

/** `reportedAt` is the provider's timestamp, which determines the run's bounds. */
const transition = z.object({ cause, reportedAt: instant })

const asOf = instant

const billLine = z.object({
  machine: z.string().meta({ examples: ['python-a'] }),
  email: z.string().meta({ examples: ['asha@example.com'] }),
  learnerName: z
    .string()
    .nullable()
    .meta({ examples: ['Asha Rao'] }),
  /** Rate at the time of the order, including browser access. */
  paisePerHour: z.int().meta({ examples: [1_900] }),
  guacamole: z.boolean(),
  runs: z.int().meta({ examples: [2] }),
  seconds: z.int().meta({ examples: [3_600] }),
  amountPaise: z.int().meta({ examples: [1_900] }),
})
export type BillLine = z.output<typeof billLine>

export const meter = {
  logs: call({
    route: 'GET /azure/logs',
    for: people,
    public: { scope: 'usage:read', operation: 'listSessions' },
    does: "Lists a machine's runs, newest first. `stop` is null while the machine is running. `duration` is in minutes.",
    query: z.strictObject({ vmName: machineName }),
    reply: z.object({
      logs: z.array(
        z.object({
          start: instant,
          stop: instant.nullable().meta({ examples: ['2026-12-01T06:30:00Z'] }),
          duration: z.number().meta({ examples: [180] }),
        }),
      ),
    }),
  }),
  trainingLogs: call({
    route: 'GET /azure/trainingLogs',
    for: people,
    does: "Lists the runs of all of a training's machines, newest first, as `logs` does for one machine.",
    query: trainingRef,
    reply: z.object({
      logs: z.array(
        z.object({
          machine: z.string(),
          email: z.string(),
          learnerName: z.string().nullable(),
          start: instant,
          stop: instant.nullable(),
          duration: z.number(),
        }),
      ),
    }),
  }),
  bill: call({
    route: 'GET /azure/billing',
    for: people,
    public: { scope: 'usage:read', operation: 'getBill' },
    does: "Returns a training's usage (hours), cost (rupees) and numbers of running and stopped machines. With `lines` also the breakdown of the amount at the same instant.",
    query: trainingRef.extend({ lines: z.literal('yes').optional() }),
    reply: z.object({
      Amount: z.number().meta({ examples: [1_860.92] }),
      Duration: z.number().meta({ examples: [59.08] }),
      Status: z.object({ online: z.int().meta({ examples: [2] }), offline: z.int().meta({ examples: [0] }) }),
      lines: z.array(billLine).optional(),
      asOf: instant.optional(),
    }),
  }),
  daily: call({
    route: 'GET /azure/usage',
    for: ['user', 'admin', 'superadmin'],
    public: { scope: 'usage:read', operation: 'getDailyUsage' },
    does: "Returns a training's usage (hours) and cost (paise) per day in the organisation's time zone, oldest first. Days without a run are included with 0. Users get only their own machines.",
    query: trainingRef.extend({ days: z.enum(['7', '30', '90']).optional() }),
    reply: z.object({
      timeZone: storedTimeZone,
      days: z.array(
        z.object({
          date: z.string().meta({ examples: ['2026-12-01'] }),
          hours: z.number().meta({ examples: [6.5] }),
          amountPaise: z.int().meta({ examples: [12_350] }),
        }),
      ),
    }),
  }),
  day: call({
    route: 'GET /azure/billing/day',
    for: people,
    does: "Returns the part of a training's bill that falls on a day in the organisation's time zone, per machine.",
    query: trainingRef.extend({ date: day }),
    reply: z.object({ lines: z.array(billLine) }),
  }),
  outlook: call({
    route: 'GET /azure/outlook',
    for: ['admin', 'superadmin'],
    does: "Returns the credit that is left to an organisation. With a training, also the training's cost per day, the cost of its planned running times at current prices, and its budget.",
    query: z.strictObject({ organization: organisationName.optional(), trainingName: trainingName.optional() }),
    reply: z.object({
      asOf: instant,
      timeZone: storedTimeZone,
      /** Today in the organisation's time zone. */
      today: storedDay,
      credit: z
        .object({
          /** `prepaid` if the organisation or training has a prepaid account. */
          kind: z.enum(['prepaid', 'limit']),
          /** Negative beyond the prepaid credit or the credit limit. */
          leftPaise: z.int(),
          /** False if usage lowers it only once it is invoiced. */
          countsUsage: z.boolean(),
        })
        .nullable(),
      training: z
        .object({
          spentPaise: z.int(),
          /** Cost until the end of the last planned running time. */
          plannedPaise: z.int(),
          /** Rate of the machines that run now. */
          paisePerHour: z.int(),
          budgetPaise: z.int().nullable(),
          /** The last 90 days, oldest first. */
          days: z.array(z.object({ date: storedDay, hours: z.number(), amountPaise: z.int() })),
          /** Days with planned running times, including the rest of today. */
          planned: z.array(z.object({ date: storedDay, amountPaise: z.int() })),
        })
        .nullable(),
    }),
  }),
  runs: call({
    route: 'GET /azure/billing/runs',
    for: ['user', 'admin', 'superadmin'],
    public: { scope: 'usage:read', operation: 'listRuns' },
    does: "Returns the runs behind a machine's bill line, oldest first, with the events that started and ended each. The amount is the sum of paiseSeconds / 3600 in paise, rounded half up once.",
    query: z.strictObject({ vmName: machineName }),
    reply: z.object({
      asOf,
      amountPaise: z.int().meta({ examples: [1_900] }),
      runs: z.array(
        z.object({
          start: instant,
          stop: instant.nullable().meta({ examples: ['2026-12-01T04:30:00Z'] }),
          seconds: z.int().meta({ examples: [3_600] }),
          paisePerHour: z.int().meta({ examples: [1_900] }),
          /** Seconds multiplied by paise per hour, exact. */
          paiseSeconds: z.int().meta({ examples: [6_840_000] }),
          opened: transition,
          closed: transition
            .nullable()
            .meta({ examples: [{ cause: 'stop accepted', reportedAt: '2026-12-01T04:30:00Z' }] }),
        }),
      ),
    }),
  }),
  clearLogs: call({
    route: 'DELETE /admin/logs',
    for: ['superadmin'],
    does: "Clears a training's session logs. Bills and quotas do not change.",
    audit: 'deleted logs',
    body: trainingRef,
  }),
}

type Meter = typeof meter

declare module '@trainyard/platform/contract/contract.ts' {
  interface MeterCalls extends Meter {}
  interface Contract {
    meter: MeterCalls
  }
}
