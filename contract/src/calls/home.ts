import { z } from 'zod'
import { defineCall } from '../call.ts'
import { SCHEDULE_ACTIONS } from '../words/schedule.ts'
import { email, instant, message, name } from './shapes.ts'

const count = z.int()
/** At most so many rows of each kind on a first screen; the counts beside them are whole. */
const few = <T extends z.ZodType>(row: T) => z.object({ count, first: z.array(row) })

const machineAt = z.object({
  organization: z.string(),
  training: z.string(),
  machine: z.string(),
  reason: z.string().nullable(),
})

export const home = {
  dashboard: defineCall({
    method: 'GET',
    path: '/admin/dashboard',
    roles: ['superadmin'],
    summary: 'The counts of the Control Center, read in one snapshot. There is no Google part: its counts are 0.',
    reply: z.object({
      organization: count,
      users: count,
      azureTraining: count,
      gcpTraining: count,
      templates: count,
      virtualMachines: count,
      invoicePending: count,
      azureQuotaExceeded: count,
      projects: count,
      gcpQuotaExceeded: count,
      azureSandbox: count,
      awsSandbox: count,
    }),
  }),
  usage: defineCall({
    method: 'GET',
    path: '/admin/usage',
    roles: ['superadmin'],
    summary: 'What runs in the whole portal now, its cost an hour, and the days that are over, of the last thirty.',
    reply: z.object({
      running: count,
      paisePerHour: z.int(),
      /** The trainings with a running machine; of these the first hundred follow, those with the most first. */
      runningTrainings: count,
      trainings: z.array(
        z.object({ organization: z.string(), training: z.string(), running: count, paisePerHour: z.int() }),
      ),
      /** By the days of the portal's own zone; the cost rounded once a day. */
      days: z.array(z.object({ date: z.string(), machines: count, amountPaise: z.int() })),
    }),
  }),
  trainings: defineCall({
    method: 'GET',
    path: '/admin/home',
    roles: ['admin', 'superadmin'],
    summary:
      "An organisation's trainings with live machines: what runs, what is used (minutes) and cost so far (rupees), what fires next; and its balance.",
    query: z.strictObject({ organization: name }),
    reply: z.object({
      timeZone: z.string(),
      /** Owed; below zero: paid ahead. */
      balancePaise: z.int(),
      trainings: z.array(
        z.object({
          training: z.string(),
          running: count,
          stopped: count,
          /** Of these, running or not: those whose last step failed. */
          failing: count,
          /** Machines that have used 90 % of their allotted minutes or more. */
          runningOut: count,
          /** Minutes of all its machines, terminated ones too, as in Quota Assignment. */
          consumed: z.number(),
          /** The same of those allotted; null: no machine has a limit. */
          total: z.number().nullable(),
          amountPaise: z.int(),
          next: z.object({ date: z.string(), time: z.string(), action: z.enum(SCHEDULE_ACTIONS) }).nullable(),
        }),
      ),
    }),
  }),
  attention: defineCall({
    method: 'GET',
    path: '/admin/attention',
    roles: ['superadmin'],
    summary:
      'What somebody should look at: failing machines, used-up quotas, unpaid balances, payments not credited, orphans.',
    reply: z.object({
      failing: few(
        machineAt.extend({
          resourceGroup: z.string(),
          /** Nothing is tried before somebody powers it on again. */
          refused: z.boolean(),
        }),
      ),
      quotaUsedUp: few(machineAt),
      unpaid: few(z.object({ organization: z.string(), balancePaise: z.int() })),
      /** Payments that the provider captured and the ledger would not take by itself. */
      uncredited: few(z.object({ organization: z.string(), order: z.string(), reason: z.string() })),
      orphans: few(z.object({ resourceGroup: z.string(), name: z.string(), since: instant })),
    }),
  }),
  contact: defineCall({
    method: 'POST',
    path: '/contact',
    roles: 'anyone',
    summary: 'The Contact Us form of the landing page. It is logged here and sent nowhere.',
    body: z.strictObject({
      email,
      phone: z
        .string()
        .trim()
        .min(1, 'must not be empty')
        .max(32, 'must be at most 32 characters long')
        .regex(/^[+\d][\d ()./-]*$/, 'must be a phone number'),
      companyName: name,
    }),
    reply: message,
    creates: true,
  }),
}
