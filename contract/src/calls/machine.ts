import { z } from 'zod'
import { defineCall } from '../call.ts'
import { INCREASE_MINUTES_MAX, MACHINES_PER_CALL, OPERATING_SYSTEMS, UNDO_HEADER } from '../words/limits.ts'
import { ADDRESS_KINDS } from '../words/network.ts'
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
  newName,
  trainingRef,
  openingTimes,
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
  usual,
}
const progress = z.object(operationTimes)
export type Progress = z.output<typeof progress>

export const machineSchema = z.object({
  _id: z.string(),
  name: z.string(),
  resourceGroup: z.string(),
  os: z.string(),
  osType: z.enum(OPERATING_SYSTEMS),
  adminUsername: z.string(),
  adminPass: z.string().nullable(),
  /** Address of the machine, public or private as `addressKind` states. */
  publicIp: z.string().nullable(),
  addressKind: z.enum(ADDRESS_KINDS),
  isAlive: z.boolean(),
  isRunning: z.boolean(),
  guacamole: z.boolean(),
  quota: z.object({ consumed: z.number(), total: z.number().nullable() }),
  email: z.string(),
  /** Name of the learner; null if none is known. */
  learnerName: z.string().nullable(),
  status: z.enum(MACHINE_STATUSES),
  statusReason: z.string().nullable(),
  /** Time at which a planned machine will be ready; null for other machines. */
  readyAt: instant.nullable(),
  /** False if the caller cannot start a planned machine before `readyAt`. */
  earlyStart: z.boolean(),
  capturing: z.boolean(),
  /** The portal does not retry until the machine is powered on again. */
  refused: z.boolean(),
  spendingCapReason: z.string().nullable(),
  /** Operation in progress, or a completed one after which the machine does not answer yet. */
  progress: progress.nullable(),
})
export type Machine = z.output<typeof machineSchema>

const place = z.strictObject({ name, resourceGroup: name })
const places = z.array(place).min(1, 'must name at least one machine').max(MACHINES_PER_CALL)

export const machine = {
  list: defineCall({
    method: 'GET',
    path: '/azure/machines',
    roles: people,
    freshProof: 'none: reads only',
    publicApi: { scope: 'machine:read', operation: 'listMachines' },
    summary: "Lists a training's machines. Users get only the machines assigned to them.",
    query: trainingRef,
    reply: z.array(machineSchema),
  }),
  names: defineCall({
    method: 'GET',
    path: '/azure/vmnames',
    roles: people,
    freshProof: 'none: reads only',
    summary: "Lists the names of a training's machines, live ones first, with the learner of each at the same index.",
    query: trainingRef,
    reply: z.object({ vmList: z.array(z.string()), learners: z.array(z.string()) }),
  }),
  watch: defineCall({
    method: 'GET',
    path: '/azure/machines/events',
    roles: people,
    freshProof: 'none: reads only',
    summary: 'Streams the machines of a training that have changed, in the shape of the list.',
    query: trainingRef,
    reply: z.array(machineSchema),
    stream: true,
  }),
  power: defineCall({
    method: 'PATCH',
    path: '/azure/machines',
    roles: people,
    freshProof: 'none: changes labs, not how users sign in',
    publicApi: { scope: 'machine:power', operation: 'powerMachines' },
    summary:
      'Starts (operation 1) or stops (operation 0) the given machines, all or none. With the header, a stop is delayed for a few seconds, during which it can be undone.',
    headers: z.looseObject({ [UNDO_HEADER]: z.literal('1', 'must be 1').optional() }),
    body: z
      .tuple([z.strictObject({ operation: z.literal([0, 1]) })], place)
      .refine((items) => items.length >= 2, 'must name at least one machine')
      .refine((items) => items.length - 1 <= MACHINES_PER_CALL, `must name at most ${MACHINES_PER_CALL} machines`),
    reply: message,
  }),
  undo: defineCall({
    method: 'PATCH',
    path: '/azure/machinesUndo',
    roles: people,
    freshProof: 'none: changes labs, not how users sign in',
    summary: 'Cancels delayed stops that have not been sent to the provider yet, all or none.',
    body: z.array(place).min(1, 'must name at least one machine').max(MACHINES_PER_CALL),
    reply: message,
  }),
  restart: defineCall({
    method: 'PATCH',
    path: '/azure/machinesRestart',
    roles: people,
    freshProof: 'none: changes labs, not how users sign in',
    publicApi: { scope: 'machine:power', operation: 'restartMachines' },
    summary: 'Restarts the given running machines, all or none.',
    body: places,
    reply: message,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/azure/machines',
    roles: ['admin', 'superadmin'],
    freshProof: 'none: changes labs, not how users sign in',
    publicApi: { scope: 'machine:delete', operation: 'deleteMachines' },
    summary:
      'Deletes the given machines and all their resources, all or none. They stay listed as terminated, with their cost.',
    body: places,
    reply: message,
  }),
  reset: defineCall({
    method: 'PATCH',
    path: '/azure/machinesReset',
    roles: ['admin', 'superadmin'],
    instructors: true,
    freshProof: 'none: changes labs, not how users sign in',
    publicApi: { scope: 'machine:reset', operation: 'resetMachines' },
    summary:
      'Recreates the given machines as they were ordered, with new disks, all or none. Learner and used hours stay.',
    body: places,
    reply: message,
  }),
  handOver: defineCall({
    method: 'PATCH',
    path: '/azure/machinesLearner',
    roles: ['admin', 'superadmin'],
    freshProof: 'none: changes labs, not how users sign in',
    publicApi: { scope: 'machine:assign', operation: 'handOverMachine' },
    summary:
      'Reassigns a machine to another learner of the organisation and changes its password. The previous learner loses access.',
    body: z.strictObject({ name, resourceGroup: name, email }),
    reply: message,
  }),
  handOverAll: defineCall({
    method: 'PATCH',
    path: '/azure/machinesLearners',
    roles: ['admin', 'superadmin'],
    freshProof: 'none: changes labs, not how users sign in',
    summary:
      'Reassigns machines, each to another learner of the organisation, and changes their passwords, all or none. With reset, they are also recreated with new disks.',
    body: z.strictObject({
      machines: z.array(place.extend({ email })).min(1, 'must name at least one machine').max(MACHINES_PER_CALL),
      reset: z.boolean(),
    }),
    reply: message,
  }),
  order: defineCall({
    method: 'POST',
    path: '/azure/machines',
    roles: ['admin', 'superadmin'],
    freshProof: 'none: invites only learners, who have no rights over other users',
    publicApi: { scope: 'order:create', operation: 'createOrder' },
    summary: 'Orders one machine from a template for each e-mail address. A new training name creates the training.',
    body: z.strictObject({
      templateName: name,
      email: z.array(email).min(1, 'must name at least one learner').max(MACHINES_PER_CALL),
      trainingName: name,
      allocatedHours: allottedMinutes,
      createVmCount: z.int(),
      guacamole: z.boolean(),
      organization: name.optional(),
      /** Names of learners. A name that a person chose themselves stays. */
      names: z
        .array(z.strictObject({ email, name: newName }))
        .max(MACHINES_PER_CALL)
        .optional(),
      /** When the machines must be ready, in the organisation's zone; omit it to start immediately. */
      readyBy: z.strictObject({ date: day, time: timeOfDay }).optional(),
    }),
    reply: z.object({ message: z.string(), waitMinutes: z.int() }),
    creates: true,
  }),
  lastOrder: defineCall({
    method: 'GET',
    path: '/azure/lastOrder',
    roles: ['admin', 'superadmin'],
    freshProof: 'none: reads only',
    publicApi: { scope: 'order:read', operation: 'getLastOrder' },
    summary: "Returns a training's latest order as the default for the next one, or null if there is none.",
    query: trainingRef,
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
    freshProof: 'none: reads only',
    publicApi: { scope: 'machine:read', operation: 'listOperations' },
    summary:
      "Returns a machine's latest operations with the times of their steps, and how long its terminal or desktop took to open in browsers, newest first.",
    query: z.strictObject({ vmName: name }),
    reply: z.object({
      operations: z.array(
        progress.extend({
          /** True once the operation was completed or abandoned. An abandoned operation has no `endedAt`. */
          closed: z.boolean(),
          reason: z.string().nullable(),
        }),
      ),
      openings: z.array(
        z.object({
          kind: z.enum(OPENING_KINDS),
          at: instant,
          /** Time from the click to the first prompt or frame. */
          milliseconds: z.int(),
          usual: openingTimes,
        }),
      ),
    }),
  }),
  removeTraining: defineCall({
    method: 'DELETE',
    path: '/azure/killTraining',
    roles: ['superadmin'],
    freshProof: 'none: changes labs, not how users sign in',
    summary: "Deletes a training's machines and all their resources. They stay listed as terminated.",
    query: trainingRef,
    reply: message,
  }),
}

export const quota = {
  read: defineCall({
    method: 'GET',
    path: '/admin/quota',
    roles: ['superadmin'],
    freshProof: 'none: reads only',
    summary: 'Returns the allotted and consumed minutes of all machines of a training.',
    query: trainingRef,
    reply: z.object({ total: z.number(), consumed: z.number() }),
  }),
  increase: defineCall({
    method: 'POST',
    path: '/admin/quota',
    roles: ['superadmin'],
    freshProof: 'none: changes labs, not how users sign in',
    summary:
      "Increases a training's quota. The minutes are distributed evenly over the live machines that have a limit.",
    body: trainingRef.extend({
      increaseBy: minutes
        .min(1, 'must be more than zero')
        .max(INCREASE_MINUTES_MAX, 'must be at most a thousand years'),
    }),
    reply: z.object({ message: z.string(), total: z.number() }),
    creates: true,
  }),
}
