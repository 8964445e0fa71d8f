import { type Limit, MINUTE } from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { asciiEmail, EMAIL_LENGTH, isEmail } from '@trainyard/platform/contract/words/email.ts'
import { isPhone, normalisePhone, PHONE_LENGTH } from '@trainyard/platform/contract/words/phone.ts'
import { SCHEDULE_ACTIONS } from '@trainyard/schedules/contract/schedule-words.ts'
import { instant, name, newName } from '@trainyard/platform/contract/shapes.ts'

const contacts: Limit = { name: 'contact', per: 'address', max: 20, seconds: MINUTE }

const count = z.int()
const firstRows = <T extends z.ZodType>(row: T) => z.object({ count, first: z.array(row) })

const machineAt = z.object({
  organization: z.string(),
  training: z.string(),
  machine: z.string(),
  reason: z.string().nullable(),
})

export const home = {
  dashboard: call({
    route: 'GET /admin/dashboard',
    for: ['superadmin'],
    does: 'Returns the counts of the Control Center from one snapshot. The Google counts are always 0.',
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
  usage: call({
    route: 'GET /admin/usage',
    for: ['superadmin'],
    does: 'Returns the running machines and their cost per hour, and the usage of the completed days of the last 30 days.',
    reply: z.object({
      running: count,
      paisePerHour: z.int(),
      /** `trainings` contains at most 100 trainings. Trainings with the most running machines come first. */
      runningTrainings: count,
      trainings: z.array(
        z.object({ organization: z.string(), training: z.string(), running: count, paisePerHour: z.int() }),
      ),
      /** Days in the installation's time zone. The cost is rounded once per day. */
      days: z.array(z.object({ date: z.string(), machines: count, amountPaise: z.int() })),
    }),
  }),
  trainings: call({
    route: 'GET /admin/home',
    for: ['admin', 'superadmin'],
    does: "Lists the trainings of an organisation, or one of them, with machine counts, used minutes, cost so far (paise) and next schedule or planned class: at most 200, those with live machines first. Also returns the organisation's balance.",
    query: z.strictObject({ organization: name, training: name.optional() }),
    reply: z.object({
      timeZone: z.string(),
      balancePaise: z.int(),
      trainings: z.array(
        z.object({
          training: z.string(),
          running: count,
          /** Includes `planned`. */
          stopped: count,
          /** Number of machines that are created in time for a planned class. */
          planned: count,
          /** Number of failing machines, which are also counted as running or stopped. */
          failing: count,
          runningOut: count,
          /** Includes terminated machines, as in Quota Assignment. */
          consumed: z.number(),
          total: z.number().nullable(),
          amountPaise: z.int(),
          /** `Ready`: the time by which the machines of a planned class are ready. */
          next: z
            .object({ date: z.string(), time: z.string(), action: z.enum([...SCHEDULE_ACTIONS, 'Ready']) })
            .nullable(),
        }),
      ),
    }),
  }),
  attention: call({
    route: 'GET /admin/attention',
    for: ['superadmin'],
    does: 'Returns problems that need attention: failing machines, used-up quotas, unpaid balances, uncredited payments, orphans and failing background tasks, and a newer version.',
    reply: z.object({
      /** One row per reason. `count` is the number of machines. */
      failing: firstRows(
        z.object({
          reason: z.string(),
          /** The portal does not retry until the machines are powered on again. */
          refused: z.boolean(),
          machines: count,
          /** At most 20. */
          first: z.array(machineAt.omit({ reason: true }).extend({ group: z.string() })),
        }),
      ),
      quotaUsedUp: firstRows(machineAt),
      unpaid: firstRows(z.object({ organization: z.string(), balancePaise: z.int() })),
      /** Payments that the provider captured and the portal could not credit automatically. */
      uncredited: firstRows(z.object({ organization: z.string(), order: z.string(), reason: z.string() })),
      orphans: firstRows(z.object({ group: z.string(), name: z.string(), since: instant })),
      /** Background tasks whose last run failed; tasks that run often only after three failures. */
      tasks: firstRows(z.object({ name: z.string(), reason: z.string(), since: instant })),
      /** The newer version that the file of UPDATE_URL names, and a page about it. */
      update: z.object({ version: z.string(), url: z.string() }).nullable(),
    }),
  }),
  contact: call({
    route: 'POST /contact',
    for: 'anyone',
    does: 'Accepts the Contact Us form of the landing page. It is logged and not forwarded.',
    audit: 'sent the Contact Us form',
    limit: contacts,
    size: { bytes: 4_096, values: 1_000 },
    body: z.strictObject({
      email: z
        .string()
        .max(EMAIL_LENGTH, `must be at most ${EMAIL_LENGTH} characters long`)
        .transform(asciiEmail)
        .refine(isEmail, 'must be an e-mail address such as name@example.com'),
      phone: z
        .string()
        .trim()
        .min(1, 'must not be empty')
        .max(PHONE_LENGTH, `must be at most ${PHONE_LENGTH} characters long`)
        .transform(normalisePhone)
        .refine(isPhone, 'must be a phone number'),
      companyName: newName,
    }),
    once: true,
  }),
}

type Home = typeof home

declare module '@trainyard/platform/contract/contract.ts' {
  interface HomeCalls extends Home {}
  interface Contract {
    home: HomeCalls
  }
}
