import * as limits from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { day, instant, storedDay, trainingRef } from '@trainyard/platform/contract/shapes.ts'

const admins = ['admin', 'superadmin'] as const

/** Durations in whole minutes. */
const presence = {
  /** Minutes in which the learner was connected to a machine in the browser. */
  connected: z.int(),
  /** Minutes of `connected` in which the learner used the keyboard or the mouse. */
  active: z.int(),
  /** Time that the learner's machines ran. */
  machine: z.int(),
  firstSeen: instant.nullable(),
  lastSeen: instant.nullable(),
}

const attendanceReport = z.object({
  timeZone: z.string(),
  learners: z.array(
    z.object({
      email: z.string(),
      learnerName: z.string().nullable(),
      ...presence,
      days: z.array(z.object({ date: storedDay, ...presence })),
    }),
  ),
})
export type AttendanceReport = z.output<typeof attendanceReport>

const selection = trainingRef.extend({ from: day, until: day })

export const attendance = {
  list: call({
    route: 'GET /azure/attendance',
    for: admins,
    instructors: true,
    does: 'Lists the minutes that each learner of a training was present per day, with first and last time. Learners with a machine who were not present have no days.',
    query: selection,
    reply: attendanceReport,
  }),
  csv: call({
    route: 'POST /azure/attendance/csv',
    for: admins,
    instructors: true,
    does: 'Returns the attendance of a training as CSV, one line per learner and day.',
    audit: 'downloaded the attendance of a training',
    limit: limits.documents,
    body: selection,
    reply: z.string(),
    kind: 'file',
  }),
  pdf: call({
    route: 'POST /azure/attendance/pdf',
    for: admins,
    instructors: true,
    does: 'Returns the attendance of a training as PDF.',
    audit: 'downloaded the attendance of a training',
    limit: limits.documents,
    body: selection,
    reply: z.string(),
    kind: 'file',
  }),
}

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    attendance: typeof attendance
  }
}
