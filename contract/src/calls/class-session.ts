import { z } from 'zod'
import { defineCall } from '../call.ts'
import { EVENT_KINDS, ROW_STATES, SESSION_CONFLICT_KINDS, SESSION_SCOPES } from '../words/class-session.ts'
import { day, instant, message, name, newName, storedDay, timeOfDay, trainingRef, weekdays } from './shapes.ts'

const admins = ['admin', 'superadmin'] as const

const rowState = z.enum(ROW_STATES)

const session = z.object({
  _id: z.string(),
  date: storedDay,
  start: z.string(),
  /** A time at or before `start` is on the next day. */
  stop: z.string(),
  startsAt: instant,
  stopsAt: instant,
  /** The weekly rule, if the session is one of several. */
  weekly: z.object({ weekdays: z.array(z.int()), until: storedDay }).nullable(),
  limitsAccess: z.boolean(),
  skipped: z.boolean(),
  /** True if the user changed only this session and not the other sessions of its weekly class. */
  moved: z.boolean(),
  /** The rows on which the session is based: ready-by, power on and shut down. */
  ready: rowState,
  powerOn: rowState,
  shutDown: rowState,
  holiday: z.string().nullable(),
  /**
   * Cost in rupees at the current machines and prices. Includes the time that the machines need to become ready.
   * Omitted for instructors.
   */
  cost: z.number().optional(),
})
export type ClassSession = z.output<typeof session>

const holiday = z.object({ date: storedDay, name: z.string() })

const times = {
  start: timeOfDay,
  /** A time at or before `start` is on the next day. */
  stop: timeOfDay,
}

const sessionId = z.uuid('must be the id of a session')

export const classSession = {
  list: defineCall({
    method: 'GET',
    path: '/azure/sessions',
    roles: admins,
    instructors: true,
    freshProof: 'none: reads only',
    publicApi: { scope: 'schedule:read', operation: 'listClassSessions' },
    summary: "Lists a training's sessions between two days, with the other events and the holidays of these days.",
    query: trainingRef.extend({ from: day, until: day }),
    reply: z.object({
      timeZone: z.string(),
      today: storedDay,
      endsOn: storedDay.nullable(),
      /** Number of machines that a session starts. */
      machines: z.int(),
      sessions: z.array(session),
      /** Events that do not belong to a session. */
      events: z.array(z.object({ date: storedDay, time: z.string(), kind: z.enum(EVENT_KINDS) })),
      holidays: z.array(holiday),
    }),
  }),
  preview: defineCall({
    method: 'GET',
    path: '/azure/sessions/preview',
    roles: admins,
    instructors: true,
    freshProof: 'none: reads only',
    summary: 'Previews the dates, the cost and the conflicts of sessions without saving them.',
    query: trainingRef.extend({
      ...times,
      from: day,
      until: day,
      weekdays: z
        .string()
        .regex(/^[1-7](,[1-7]){0,6}$/, 'must be days such as 1,3,5')
        .optional(),
      limitAccess: z.enum(['true', 'false']),
      skipHolidays: z.enum(['true', 'false']),
      replaces: sessionId.optional(),
      scope: z.enum(SESSION_SCOPES).optional(),
    }),
    reply: z.object({
      timeZone: z.string(),
      count: z.int(),
      next: z.array(z.object({ date: storedDay, note: z.string().nullable() })),
      skippedHolidays: z.array(holiday),
      machines: z.int(),
      /** Minutes before the session at which the machines are started. */
      leadMinutes: z.int(),
      /** Rupees. Omitted for instructors. */
      costOfOne: z.number().optional(),
      costOfAll: z.number().optional(),
      conflicts: z.array(z.object({ kind: z.enum(SESSION_CONFLICT_KINDS), blocks: z.boolean(), sentence: z.string() })),
    }),
  }),
  create: defineCall({
    method: 'POST',
    path: '/azure/sessions',
    roles: admins,
    instructors: true,
    freshProof: 'none: changes labs, not how users sign in',
    publicApi: { scope: 'schedule:write', operation: 'createClassSession' },
    summary:
      'Creates one session or a weekly class, with ready times, power on, shut down and, if requested, the access window.',
    body: trainingRef.extend({
      ...times,
      from: day,
      until: day,
      /** Null for a single session on the day `from`. */
      weekdays: weekdays.nullable(),
      limitAccess: z.boolean(),
      skipHolidays: z.boolean(),
    }),
    reply: message,
    creates: true,
  }),
  change: defineCall({
    method: 'PATCH',
    path: '/azure/sessions',
    roles: admins,
    instructors: true,
    freshProof: 'none: changes labs, not how users sign in',
    summary: 'Changes one session, or it and all following sessions of its weekly class.',
    body: trainingRef.extend({
      ...times,
      sessionId,
      scope: z.enum(SESSION_SCOPES),
      /** New day of the session, or first day of the following sessions. */
      from: day,
      /** Last day and weekdays of the following sessions; ignored for one session. */
      until: day,
      weekdays: weekdays.nullable(),
      limitAccess: z.boolean(),
      skipHolidays: z.boolean(),
    }),
    reply: message,
  }),
  skip: defineCall({
    method: 'POST',
    path: '/azure/sessions/skip',
    roles: admins,
    instructors: true,
    freshProof: 'none: changes labs, not how users sign in',
    summary: 'Skips a session, whose machines then are not started, or restores a skipped one.',
    body: trainingRef.extend({ sessionId, skipped: z.boolean() }),
    reply: message,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/azure/sessions',
    roles: admins,
    instructors: true,
    freshProof: 'none: changes labs, not how users sign in',
    publicApi: { scope: 'schedule:write', operation: 'deleteClassSession' },
    summary: 'Cancels one session, or it and all following sessions of its weekly class.',
    query: trainingRef.extend({ sessionId, scope: z.enum(SESSION_SCOPES) }),
    reply: message,
  }),
}

const organisationRef = z.strictObject({ organization: name.optional() })

export const holidays = {
  list: defineCall({
    method: 'GET',
    path: '/azure/holidays',
    roles: admins,
    freshProof: 'none: reads only',
    summary: "Lists an organisation's holidays, on which weekly classes have no session.",
    query: organisationRef,
    reply: z.object({ holidays: z.array(holiday) }),
  }),
  add: defineCall({
    method: 'POST',
    path: '/azure/holidays',
    roles: admins,
    freshProof: 'none: changes labs, not how users sign in',
    summary: 'Adds a holiday or renames it. Existing sessions on that day stay until they are skipped.',
    body: organisationRef.extend({ date: day, name: newName }),
    reply: message,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/azure/holidays',
    roles: admins,
    freshProof: 'none: changes labs, not how users sign in',
    summary: 'Removes a holiday. Sessions that were left out on that day are not added.',
    query: organisationRef.extend({ date: day }),
    reply: message,
  }),
}
