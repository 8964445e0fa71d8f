import { invitations } from '@trainyard/users/contract/user.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { ANNOUNCEMENT_LENGTH, ANNOUNCEMENT_MINUTES, HAND_REASONS, type HandReason } from './classroom-words.ts'
import { machineSchema, shownRef } from '@trainyard/machines/contract/machine.ts'
import { invitationState } from '@trainyard/users/contract/people.ts'
import { email, instant, name, trainingRef, storedTimeZone } from '@trainyard/platform/contract/shapes.ts'
import { IDLE_STOP_MINUTES_MAX, IDLE_STOP_MINUTES_MIN } from '@trainyard/trainings/contract/training-words.ts'
import { instructor } from '@trainyard/trainings/contract/training.ts'

const admins = ['admin', 'superadmin'] as const

const announcement = z.object({ text: z.string(), at: instant, until: instant })
export type Announcement = z.output<typeof announcement>

const handReason = z.enum(Object.keys(HAND_REASONS) as [HandReason, ...HandReason[]])

/** The machine's `adminPass` is always null here. */
const seat = z.object({
  machine: machineSchema,
  /** Time when the learner's browser terminal was opened; null if none is open. */
  connectedSince: instant.nullable().meta({ examples: ['2026-12-01T03:35:00Z'] }),
  /** Time when the learner's last browser terminal was closed. */
  disconnectedSince: instant.nullable(),
  runningSince: instant.nullable().meta({ examples: ['2026-12-01T03:30:00Z'] }),
  /**
   * Start of the current idle time (no typing, idle CPU); null while the machine is off, or without a recent
   * measurement.
   */
  idleSince: instant.nullable(),
  cpu: z.object({ percent: z.number().meta({ examples: [12] }), at: instant }).nullable(),
  handRaisedAt: instant.nullable(),
  handReason: handReason.nullable(),
  stopsAt: instant.nullable().meta({ examples: ['2026-12-01T06:30:00Z'] }),
  /** Minutes of the last ten in which the learner was active, from 0 (the current minute) to 9. */
  activeMinutes: z.array(z.int()).meta({ examples: [[0, 1, 2]] }),
})
export type Seat = z.output<typeof seat>

const room = z.object({
  timeZone: storedTimeZone,
  announcement: announcement.nullable(),
  idleStopMinutes: z
    .int()
    .nullable()
    .meta({ examples: [30] }),
  /** Instructors can watch without asking. Learners are informed when they connect. */
  watchedWithoutAsking: z.boolean().meta({ examples: [false] }),
  /** Learners can start planned machines before their time. */
  earlyStart: z.boolean(),
  window: z
    .object({
      start: z.string().meta({ examples: ['09:00'] }),
      stop: z.string().meta({ examples: ['12:00'] }),
      open: z.boolean(),
      extendedUntil: instant.nullable(),
      /** Access is open or a session is running. Otherwise an extension opens the training. */
      extendable: z.boolean(),
    })
    .nullable(),
})
export type Room = z.output<typeof room>

const classSchema = z.object({ room, seats: z.array(seat) })
export type ClassView = z.output<typeof classSchema>

const ownClass = z.object({
  trainingName: z.string(),
  announcement: announcement.nullable(),
  handRaisedAt: instant.nullable(),
  handReason: handReason.nullable(),
  /** Place of the hand in the queue of the class, from 1. */
  handPlace: z.int().nullable(),
  machines: z.array(z.object({ vmName: z.string(), stopsAt: instant.nullable() })),
  nextStopAt: instant.nullable(),
})
export type OwnClass = z.output<typeof ownClass>

const invitedLearner = z.object({
  email: z.string(),
  name: z.string().nullable(),
  /** The learner has a password or has signed in. */
  joined: z.boolean(),
  invitation: invitationState.nullable(),
})
export type InvitedLearner = z.output<typeof invitedLearner>

export const classroom = {
  list: call({
    route: 'GET /azure/class',
    for: admins,
    instructors: true,
    public: { scope: 'class:read', operation: 'getClass' },
    does: 'Lists the learners of a training and their machines, and states which are connected, idle, failing or have a raised hand.',
    query: trainingRef,
    reply: classSchema,
  }),
  watch: call({
    route: 'GET /azure/class/events',
    for: admins,
    instructors: true,
    does: 'Streams the class, first all learners, then those that have changed.',
    query: trainingRef,
    reply: classSchema,
    kind: 'stream',
  }),
  mine: call({
    route: 'GET /azure/class/mine',
    for: ['user'],
    does: "Returns the announcements, raised hands and upcoming stops of the caller's trainings.",
    reply: z.array(ownClass),
  }),
  watchMine: call({
    route: 'GET /azure/class/mine/events',
    for: ['user'],
    does: "Streams the announcements, raised hands and upcoming stops of the caller's trainings after each change.",
    reply: z.array(ownClass),
    kind: 'stream',
  }),
  raiseHand: call({
    route: 'POST /azure/class/hand',
    for: ['user'],
    does: "Raises the caller's hand in a training. A hand that is already raised keeps its place in the list; a new reason replaces the earlier one.",
    audit: 'raised their hand',
    body: trainingRef.extend({ reason: handReason.optional() }),
  }),
  lowerHand: call({
    route: 'DELETE /azure/class/hand',
    for: ['user', 'admin', 'superadmin'],
    does: 'Lowers a hand. Learners can lower only their own; instructors name the learner.',
    audit: 'lowered a hand',
    query: trainingRef.extend({ email: email.optional() }),
  }),
  here: call({
    route: 'POST /azure/class/here',
    for: ['user'],
    does: 'Reports that the learner is at their machine, which restarts its idle time.',
    audit: 'confirmed that they are at their machine',
    body: z.strictObject({ vmName: name }),
  }),
  announce: call({
    route: 'POST /azure/class/announcement',
    for: admins,
    instructors: true,
    public: { scope: 'class:write', operation: 'announceToClass' },
    does: 'Shows an announcement to the learners of a training. It replaces the previous one.',
    audit: 'posted an announcement to a class',
    body: trainingRef.extend({
      text: z
        .string()
        .trim()
        .min(1, 'must not be empty')
        .max(ANNOUNCEMENT_LENGTH, `must be at most ${ANNOUNCEMENT_LENGTH} characters long`)
        .meta({ examples: ['We continue at ten.'] }),
      minutes: z.literal(ANNOUNCEMENT_MINUTES).meta({ examples: [15] }),
    }),
    once: true,
  }),
  takeBack: call({
    route: 'DELETE /azure/class/announcement',
    for: admins,
    instructors: true,
    does: 'Removes the announcement.',
    audit: 'removed an announcement',
    query: trainingRef,
  }),
  extend: call({
    route: 'POST /azure/class/extension',
    for: admins,
    instructors: true,
    public: { scope: 'class:write', operation: 'extendClass' },
    does: 'Extends the access window of a training by 15 minutes while it is open or a session is running. With open, also opens a closed training for 15 minutes. Scheduled stops within the extension are deferred to its end.',
    audit: 'extended an access window',
    body: trainingRef.extend({ open: z.literal(true).optional() }),
    reply: z.object({
      message: z.string().meta({ examples: ['Done.'] }),
      until: instant.meta({ examples: ['2026-12-01T06:45:00Z'] }),
    }),
    once: true,
  }),
  setIdleStop: call({
    route: 'POST /azure/class/idle',
    for: admins,
    instructors: true,
    does: 'Sets the number of idle minutes after which machines are stopped, after a warning. null turns this off.',
    audit: 'changed when idle machines are stopped',
    body: trainingRef.extend({
      minutes: z.int().min(IDLE_STOP_MINUTES_MIN).max(IDLE_STOP_MINUTES_MAX).nullable(),
    }),
  }),
  setWatching: call({
    route: 'POST /azure/class/watching',
    for: admins,
    does: 'Sets whether learners are asked before an instructor watches their screen.',
    audit: 'changed whether learners are asked before they are watched',
    body: trainingRef.extend({ withoutAsking: z.boolean() }),
  }),
  setEarlyStart: call({
    route: 'POST /azure/class/early',
    for: admins,
    instructors: true,
    does: 'Sets whether learners can start planned machines before their time.',
    audit: 'changed whether learners can start planned machines early',
    body: trainingRef.extend({ allowed: z.boolean() }),
  }),
  startable: call({
    route: 'GET /azure/class/startable',
    for: admins,
    instructors: true,
    does: 'Lists the machines that a start of all stopped machines of a training would start, and what they cost.',
    query: trainingRef,
    reply: z.object({
      machines: z.array(
        z.object({
          name: z.string(),
          /** True if the machine does not exist at the provider yet. */
          planned: z.boolean(),
          /** Price per hour in rupees; null for instructors, who see no prices. */
          hourlyPrice: z.number().nullable(),
        }),
      ),
      /** Next time at which the class starts; null if none is planned or a session is running. */
      classAt: instant.nullable(),
      timeZone: z.string(),
    }),
  }),
  power: call({
    route: 'POST /azure/class/power',
    for: admins,
    instructors: true,
    public: { scope: 'class:write', operation: 'powerClass' },
    does: 'Starts all stopped machines of a training (operation 1), or stops those idle for at least idleMinutes, or all (operation 0). Stopping all also lowers the raised hands. A stop is delayed for a few seconds, during which it can be undone.',
    audit: 'started the stopped machines of a class, or stopped its idle ones or all',
    urgency: 'power',
    body: z.discriminatedUnion('operation', [
      trainingRef.extend({ operation: z.literal(1) }),
      trainingRef
        .extend({
          operation: z.literal(0),
          idleMinutes: z.int().min(5).max(IDLE_STOP_MINUTES_MAX).optional(),
          all: z.literal(true).optional(),
        })
        .refine(({ idleMinutes, all }) => (idleMinutes === undefined) !== (all === undefined), {
          error: 'must contain either idleMinutes or all',
        }),
    ]),
    reply: z.object({
      message: z.string().meta({ examples: ['Done.'] }),
      machines: z.int().meta({ examples: [2] }),
      /** Machines whose stop or start can be undone. */
      undoable: z.array(z.object(shownRef)),
    }),
    once: true,
  }),
  hands: call({
    route: 'GET /azure/class/hands',
    for: ['admin'],
    instructors: true,
    does: 'Lists the raised hands in the classes that the caller leads, the earliest first.',
    reply: z.object({
      hands: z.array(
        z.object({ trainingName: z.string(), email: z.string(), reason: handReason.nullable(), raisedAt: instant }),
      ),
    }),
  }),
  invitations: call({
    route: 'GET /azure/class/invitations',
    for: admins,
    instructors: true,
    does: 'Lists the learners of a training and states whether their invitations were delivered, opened or rejected by the mail server.',
    query: trainingRef,
    reply: z.object({ learners: z.array(invitedLearner) }),
  }),
  invite: call({
    route: 'POST /azure/class/invitation',
    for: admins,
    instructors: true,
    proof: 'fresh',
    does: 'Sends a new invitation to a learner of the training who has no password, and invalidates earlier ones. Corrects the address if the mail server rejected the invitation.',
    audit: 'invited a learner of a class again or corrected their address',
    limit: invitations,
    body: trainingRef.extend({ email, newEmail: email.optional() }),
    once: true,
  }),
  instructors: call({
    route: 'GET /azure/class/instructors',
    for: admins,
    does: 'Lists the instructors of a training. Instructors lead its class.',
    query: trainingRef,
    reply: z.object({ instructors: z.array(instructor) }),
  }),
  addInstructor: call({
    route: 'POST /azure/class/instructors',
    for: admins,
    proof: 'fresh',
    does: 'Makes a user an instructor of a training, who leads its class and plans its sessions, without orders, prices, invoices and other trainings. A new user is invited.',
    audit: 'added an instructor to a training',
    limit: invitations,
    body: trainingRef.extend({ email }),
  }),
  removeInstructor: call({
    route: 'DELETE /azure/class/instructors',
    for: admins,
    does: 'Removes an instructor from a training. Their open pages of the class end within seconds.',
    audit: 'removed an instructor from a training',
    query: trainingRef.extend({ email }),
  }),
}

/** Texts that follow the portal's name in the audit log: actions that are no calls. */
export const classroomActions = {
  'classroom.stopIdle': 'stopped a machine that was idle',
} as const

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    classroom: typeof classroom
  }
}
