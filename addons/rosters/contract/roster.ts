import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { GRACE_DAYS_MAX, MACHINE_RULE_NAMES, ROSTER_KINDS, SEATS_MAX } from './training-roster.ts'
import { allottedMinutes, instant, nameOrEmpty, trainingRef } from '@trainyard/platform/contract/shapes.ts'

const admins = ['admin', 'superadmin'] as const

const kind = z.enum(ROSTER_KINDS)

const rules = z.strictObject({
  machineRule: z.enum(MACHINE_RULE_NAMES),
  /** Null if no machines are ordered. */
  templateName: nameOrEmpty.min(1, 'Select a template.').nullable(),
  allottedMinutes,
  /** Machines with browser access. */
  guacamole: z.boolean(),
  /** Maximum number of machines of the roster, or null for no limit. */
  seats: z.int().min(1, 'must be at least 1').max(SEATS_MAX, `must be at most ${SEATS_MAX}`).nullable(),
  /** Days until the machine of a learner who left is deleted. During these days it stays stopped. */
  graceDays: z.int().min(0, 'must be at least 0').max(GRACE_DAYS_MAX, `must be at most ${GRACE_DAYS_MAX}`),
})

const member = z.object({
  email: z.string(),
  name: z.string().nullable(),
  role: z.enum(['learner', 'instructor']),
  state: z.enum(['member', 'removal pending', 'left']),
  since: instant,
  leftAt: instant.nullable(),
  /** Name of the machine that the roster ordered. */
  machine: z.string().nullable(),
  /** When the machine of a learner who left will be deleted. */
  deletesAt: instant.nullable(),
  /** True for users whom an admin added: the roster never removes them. */
  byHand: z.boolean(),
  /** Reason why there is no machine yet. */
  problem: z.string().nullable(),
})
export type RosterMember = z.output<typeof member>

const source = z.object({ kind, key: z.string(), name: z.string(), members: z.int() })
export type RosterSource = z.output<typeof source>

export const roster = {
  show: call({
    route: 'GET /azure/roster',
    for: admins,
    does: 'Returns the external list that a training follows, with its members and a pending removal, and the lists that it could follow.',
    query: trainingRef,
    reply: z.object({
      roster: z
        .object({
          source: source.omit({ members: true }),
          rules: rules.extend({ templateName: z.string().nullable() }),
          /** Increases with each change of the list. */
          version: z.int(),
          lastRun: z.object({ at: instant, joined: z.int(), returned: z.int(), left: z.int() }).nullable(),
          /** Number of learners whose removal waits for a decision, or null if there are none. */
          pendingRemoval: z.object({ since: instant, learners: z.int() }).nullable(),
          members: z.array(member),
        })
        .nullable(),
      sources: z.array(source),
    }),
  }),
  save: call({
    route: 'POST /azure/roster',
    for: admins,
    does: 'Makes a training follow an external list of members, or changes the rules by which it follows its current one.',
    audit: 'made a training follow a roster',
    body: trainingRef.extend({ source: z.strictObject({ kind, key: z.string().min(1).max(255) }), rules }),
  }),
  remove: call({
    route: 'DELETE /azure/roster',
    for: admins,
    does: 'Ends following an external list. Learners and machines stay as they are.',
    audit: 'ended following a roster',
    body: trainingRef,
  }),
  decide: call({
    route: 'POST /azure/roster/removal',
    for: admins,
    does: 'Approves or refuses a pending removal of learners. `version` is that of the list on which the decision is based.',
    audit: 'decided on a pending removal of learners',
    body: trainingRef.extend({ version: z.int().min(0), approve: z.boolean() }),
  }),
}

/** Texts that follow the portal's name in the audit log: actions that are no calls. */
export const rosterActions = {
  'roster.run': 'The members of a roster changed',
  'roster.order': 'A roster ordered machines',
} as const

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    roster: typeof roster
  }
}
