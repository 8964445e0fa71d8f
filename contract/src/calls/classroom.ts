import { z } from 'zod'
import { defineCall } from '../call.ts'
import {
  ANNOUNCEMENT_LENGTH,
  ANNOUNCEMENT_MINUTES,
  IDLE_STOP_MINUTES_MAX,
  IDLE_STOP_MINUTES_MIN,
} from '../words/classroom.ts'
import { machineView } from './machine.ts'
import { email, instant, message, name, ofTraining } from './shapes.ts'

const admins = ['admin', 'superadmin'] as const

const announcement = z.object({ text: z.string(), at: instant, until: instant })
export type Announcement = z.output<typeof announcement>

/** A learner at their machine: what an instructor sees of both. Never with the password. */
const seat = z.object({
  machine: machineView,
  /** The learner's own terminal in the browser: since when it is open, or when the last one was closed. */
  connectedSince: instant.nullable(),
  disconnectedSince: instant.nullable(),
  /** Of the run under way; null: it does not run. */
  runningSince: instant.nullable(),
  /** Nobody typed and the processor rested since then; null: it does not run, or nothing has measured it lately. */
  idleSince: instant.nullable(),
  /** Percentage CPU of the last minute that was measured. */
  cpu: z.object({ percent: z.number(), at: instant }).nullable(),
  handRaisedAt: instant.nullable(),
  /** It is to be stopped then for being idle: its learner is warned. */
  stopsAt: instant.nullable(),
})
export type Seat = z.output<typeof seat>

const room = z.object({
  timeZone: z.string(),
  announcement: announcement.nullable(),
  /** null: nothing is stopped for being idle. */
  idleStopMinutes: z.int().nullable(),
  /** Instructors watch without asking the learner, who is told so when they connect. */
  watchedWithoutAsking: z.boolean(),
  /** null: open at all times. */
  window: z
    .object({ start: z.string(), stop: z.string(), open: z.boolean(), extendedUntil: instant.nullable() })
    .nullable(),
})
export type Room = z.output<typeof room>

const classView = z.object({ room, seats: z.array(seat) })
export type ClassView = z.output<typeof classView>

/** The class as a learner is told of it, in each training of theirs that is open to them. */
const ownClass = z.object({
  trainingName: z.string(),
  announcement: announcement.nullable(),
  handRaisedAt: instant.nullable(),
  machines: z.array(z.object({ vmName: z.string(), stopsAt: instant.nullable() })),
  /** A schedule stops the training's machines then; the next that is planned. */
  nextStopAt: instant.nullable(),
})
export type OwnClass = z.output<typeof ownClass>

export const classroom = {
  list: defineCall({
    method: 'GET',
    path: '/azure/class',
    roles: admins,
    summary: "A training's learners at their live machines: connected, idle, hand raised, failing.",
    query: ofTraining,
    reply: classView,
  }),
  watch: defineCall({
    method: 'GET',
    path: '/azure/class/events',
    roles: admins,
    summary: 'The class, and then each time those of its learners that changed.',
    query: ofTraining,
    reply: classView,
    stream: true,
  }),
  mine: defineCall({
    method: 'GET',
    path: '/azure/class/mine',
    roles: ['user'],
    summary: "The announcements, raised hands and coming stops of a learner's own trainings.",
    reply: z.array(ownClass),
  }),
  watchMine: defineCall({
    method: 'GET',
    path: '/azure/class/mine/events',
    roles: ['user'],
    summary: 'The same, and again each time it has changed.',
    reply: z.array(ownClass),
    stream: true,
  }),
  raiseHand: defineCall({
    method: 'POST',
    path: '/azure/class/hand',
    roles: ['user'],
    summary: "Raises the caller's own hand in a training; one that is raised stays so.",
    body: ofTraining,
    reply: message,
  }),
  lowerHand: defineCall({
    method: 'DELETE',
    path: '/azure/class/hand',
    roles: ['user', 'admin', 'superadmin'],
    summary: 'Takes a hand down: a learner their own, an instructor that of the learner named.',
    query: ofTraining.extend({ email: email.optional() }),
    reply: message,
  }),
  here: defineCall({
    method: 'POST',
    path: '/azure/class/here',
    roles: ['user'],
    summary: 'Says that the learner is at their machine: it is idle from now on at the earliest.',
    body: z.strictObject({ vmName: name }),
    reply: message,
  }),
  announce: defineCall({
    method: 'POST',
    path: '/azure/class/announcement',
    roles: admins,
    summary: "Shows a text on the pages of a training's learners; it takes the place of the one before.",
    body: ofTraining.extend({
      text: z
        .string()
        .trim()
        .min(1, 'must not be empty')
        .max(ANNOUNCEMENT_LENGTH, `must be at most ${ANNOUNCEMENT_LENGTH} characters long`),
      minutes: z.literal(ANNOUNCEMENT_MINUTES),
    }),
    reply: message,
    creates: true,
  }),
  takeBack: defineCall({
    method: 'DELETE',
    path: '/azure/class/announcement',
    roles: admins,
    summary: 'Takes the announcement from the pages again.',
    query: ofTraining,
    reply: message,
  }),
  extend: defineCall({
    method: 'POST',
    path: '/azure/class/extension',
    roles: admins,
    summary: 'Keeps the training open to its learners for a quarter of an hour longer, or opens it for one.',
    body: ofTraining,
    reply: z.object({ message: z.string(), until: instant }),
    creates: true,
  }),
  setIdleStop: defineCall({
    method: 'POST',
    path: '/azure/class/idle',
    roles: admins,
    summary: 'Has machines that are idle for so many minutes stopped, after a warning; null: none is.',
    body: ofTraining.extend({
      minutes: z.int().min(IDLE_STOP_MINUTES_MIN).max(IDLE_STOP_MINUTES_MAX).nullable(),
    }),
    reply: message,
  }),
  setWatching: defineCall({
    method: 'POST',
    path: '/azure/class/watching',
    roles: admins,
    summary: "Says whether a training's learners are asked before somebody watches their terminal.",
    body: ofTraining.extend({ withoutAsking: z.boolean() }),
    reply: message,
  }),
  power: defineCall({
    method: 'POST',
    path: '/azure/class/power',
    roles: admins,
    summary: 'Starts all machines that are stopped (1), or stops all that are idle for so many minutes (0).',
    body: z.discriminatedUnion('operation', [
      ofTraining.extend({ operation: z.literal(1) }),
      ofTraining.extend({ operation: z.literal(0), idleMinutes: z.int().min(5).max(IDLE_STOP_MINUTES_MAX) }),
    ]),
    reply: z.object({ message: z.string(), machines: z.int() }),
    creates: true,
  }),
}
