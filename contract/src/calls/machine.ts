import { z } from 'zod'
import { defineCall } from '../call.ts'
import { INCREASE_MINUTES_MAX, MACHINES_PER_CALL, OPERATING_SYSTEMS } from '../words/limits.ts'
import { MACHINE_STATUSES } from '../words/machine.ts'
import { OPERATION_KINDS } from '../words/operation.ts'
import { OPENING_KINDS } from '../words/remote.ts'
import {
  allottedMinutes,
  day,
  email,
  instant,
  message,
  minutes,
  name,
  ofTraining,
  openingUsual,
  timeOfDay,
} from './shapes.ts'

const people = ['user', 'admin', 'superadmin'] as const

const usual = z.object({ median: z.number(), p90: z.number() }).nullable()

const operationTimes = {
  kind: z.enum(OPERATION_KINDS),
  askedAt: instant,
  sentAt: instant.nullable(),
  acceptedAt: instant.nullable(),
  endedAt: instant.nullable(),
  readyAt: instant.nullable(),
  /** Seconds that such operations took of late; null: none was measured. */
  usual,
}
const progress = z.object(operationTimes)
export type Progress = z.output<typeof progress>

export const machineView = z.object({
  _id: z.string(),
  name: z.string(),
  resourceGroup: z.string(),
  os: z.string(),
  osType: z.enum(OPERATING_SYSTEMS),
  adminUsername: z.string(),
  adminPass: z.string().nullable(),
  publicIp: z.string().nullable(),
  isAlive: z.boolean(),
  isRunning: z.boolean(),
  guacamole: z.boolean(),
  quota: z.object({ consumed: z.number(), total: z.number().nullable() }),
  email: z.string(),
  status: z.enum(MACHINE_STATUSES),
  statusReason: z.string().nullable(),
  /** An image of it is being made. */
  capturing: z.boolean(),
  /** Its failure is final: nothing is tried before somebody powers it on again. */
  refused: z.boolean(),
  /** Why a budget keeps it off; null: none does. */
  leash: z.string().nullable(),
  /** The operation that is waited for: under way, or done and the machine not answering yet. */
  progress: progress.nullable(),
})
export type Machine = z.output<typeof machineView>

const place = z.strictObject({ name, resourceGroup: name })
const places = z.array(place).min(1, 'must name at least one machine').max(MACHINES_PER_CALL)

export const machine = {
  list: defineCall({
    method: 'GET',
    path: '/azure/machines',
    roles: people,
    summary: "A training's machines; a user gets the ones assigned to them.",
    query: ofTraining,
    reply: z.array(machineView),
  }),
  names: defineCall({
    method: 'GET',
    path: '/azure/vmnames',
    roles: people,
    summary: "The names of a training's machines, live ones first, and the learner of each in the same place.",
    query: ofTraining,
    reply: z.object({ vmList: z.array(z.string()), learners: z.array(z.string()) }),
  }),
  watch: defineCall({
    method: 'GET',
    path: '/azure/machines/events',
    roles: people,
    summary: 'The machines of a training that changed, each time some have, as the list would show them.',
    query: ofTraining,
    reply: z.array(machineView),
    stream: true,
  }),
  power: defineCall({
    method: 'PATCH',
    path: '/azure/machines',
    roles: people,
    summary: 'Starts (1) or stops (0) the machines named, all or none.',
    body: z
      .tuple(
        [
          z.strictObject({
            operation: z.literal([0, 1]),
            /** With 0: the stop waits for a few seconds, in which it can be undone. */
            undoable: z.literal(true).optional(),
          }),
        ],
        place,
      )
      .refine((items) => items.length >= 2, 'must name at least one machine')
      .refine((items) => items.length - 1 <= MACHINES_PER_CALL, `must name at most ${MACHINES_PER_CALL} machines`),
    reply: message,
  }),
  undo: defineCall({
    method: 'PATCH',
    path: '/azure/machinesUndo',
    roles: people,
    summary: 'Has machines run on whose undoable stop has not gone out yet, all or none.',
    body: z.array(place).min(1, 'must name at least one machine').max(MACHINES_PER_CALL),
    reply: message,
  }),
  restart: defineCall({
    method: 'PATCH',
    path: '/azure/machinesRestart',
    roles: people,
    summary: 'Restarts the running machines named, all or none.',
    body: places,
    reply: message,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/azure/machines',
    roles: ['admin', 'superadmin'],
    summary:
      'Deletes the machines named with all they brought, all or none; they stay listed as terminated, with their bill.',
    body: places,
    reply: message,
  }),
  reset: defineCall({
    method: 'PATCH',
    path: '/azure/machinesReset',
    roles: ['admin', 'superadmin'],
    summary: 'Makes the machines named anew as they were ordered, on empty disks, all or none; learner and hours stay.',
    body: places,
    reply: message,
  }),
  handOver: defineCall({
    method: 'PATCH',
    path: '/azure/machinesLearner',
    roles: ['admin', 'superadmin'],
    summary: 'Hands a machine to another learner of the organisation, with a new password; the former one loses it.',
    body: z.strictObject({ name, resourceGroup: name, email }),
    reply: message,
  }),
  order: defineCall({
    method: 'POST',
    path: '/azure/machines',
    roles: ['admin', 'superadmin'],
    summary: 'Orders a machine of a template for each e-mail; a new training name makes the training.',
    body: z.strictObject({
      templateName: name,
      email: z.array(email).min(1, 'must name at least one learner').max(MACHINES_PER_CALL),
      trainingName: name,
      allocatedHours: allottedMinutes,
      createVmCount: z.int(),
      guacamole: z.boolean(),
      organization: name.optional(),
      /** Created early enough to be ready then, on the organisation's clocks; left out: at once. */
      readyBy: z.strictObject({ date: day, time: timeOfDay }).optional(),
    }),
    reply: z.object({ message: z.string(), waitMinutes: z.int() }),
    creates: true,
  }),
  lastOrder: defineCall({
    method: 'GET',
    path: '/azure/lastOrder',
    roles: ['admin', 'superadmin'],
    summary: "A training's latest order, to be placed again for others; null: nothing was ordered.",
    query: ofTraining,
    reply: z.object({
      lastOrder: z
        .object({ templateName: z.string(), allocatedHours: z.number().nullable(), guacamole: z.boolean() })
        .nullable(),
    }),
  }),
  operations: defineCall({
    method: 'GET',
    path: '/azure/operations',
    roles: people,
    summary:
      "A machine's latest operations with the instants of their steps, newest first, and how fast it opened in the browser.",
    query: z.strictObject({ vmName: name }),
    reply: z.object({
      operations: z.array(
        progress.extend({
          /** Nothing of it is waited for any more; without an end it came to nothing. */
          closed: z.boolean(),
          reason: z.string().nullable(),
        }),
      ),
      /** The latest times that it was opened in the browser, newest first. */
      openings: z.array(
        z.object({
          kind: z.enum(OPENING_KINDS),
          at: instant,
          /** From the click to the first prompt or frame. */
          milliseconds: z.int(),
          /** Of machines of its size in its region. */
          usual: openingUsual,
        }),
      ),
    }),
  }),
  removeTraining: defineCall({
    method: 'DELETE',
    path: '/azure/killTraining',
    roles: ['superadmin'],
    summary: "Deletes a training's machines with all they brought; they stay listed as terminated.",
    query: ofTraining,
    reply: message,
  }),
}

export const quota = {
  read: defineCall({
    method: 'GET',
    path: '/admin/quota',
    roles: ['superadmin'],
    summary: "Allotted and consumed minutes, summed over a training's machines.",
    query: ofTraining,
    reply: z.object({ total: z.number(), consumed: z.number() }),
  }),
  increase: defineCall({
    method: 'POST',
    path: '/admin/quota',
    roles: ['superadmin'],
    summary: 'Shares more minutes out evenly over the live machines that have a limit.',
    body: ofTraining.extend({
      increaseBy: minutes
        .min(1, 'must be more than zero')
        .max(INCREASE_MINUTES_MAX, 'must be at most a thousand years'),
    }),
    reply: z.object({ message: z.string(), total: z.number() }),
    creates: true,
  }),
}
