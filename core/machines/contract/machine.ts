import { type Limit, MINUTE } from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import {
  INCREASE_MINUTES_MAX,
  MACHINES_PER_CALL,
  OPERATING_SYSTEMS,
  UNDO_HEADER,
} from '@trainyard/platform/contract/words/limits.ts'
import { ADDRESS_KINDS } from '@trainyard/platform/contract/words/network.ts'
import { MACHINE_STATUSES } from './machine-words.ts'
import { OPENING_KINDS, OPERATION_KINDS } from './operation.ts'
import {
  allottedMinutes,
  day,
  email,
  instant,
  minutes,
  name,
  newName,
  trainingRef,
  openingTimes,
  timeOfDay,
  organisationName,
  trainingName,
  machineName,
  templateName,
  rowId,
} from '@trainyard/platform/contract/shapes.ts'

/** Each call invites up to 1,000 learners. */
export const orders: Limit = { name: 'orders', per: 'organisation', max: 60, seconds: MINUTE }

/** Each call takes a list of up to 1,000 machines. */
const machineCommands: Limit = { name: 'machines', per: 'person', max: 600, seconds: MINUTE }

const people = ['user', 'admin', 'superadmin'] as const

const usual = z
  .object({ median: z.number().meta({ examples: [80] }), p90: z.number().meta({ examples: [120] }) })
  .nullable()

const operationTimes = {
  kind: z.enum(OPERATION_KINDS),
  askedAt: instant,
  sentAt: instant.nullable().meta({ examples: ['2026-12-01T03:30:01Z'] }),
  acceptedAt: instant.nullable().meta({ examples: ['2026-12-01T03:30:02Z'] }),
  endedAt: instant.nullable().meta({ examples: ['2026-12-01T03:31:20Z'] }),
  readyAt: instant.nullable(),
  usual,
}
const progress = z.object(operationTimes)
export type Progress = z.output<typeof progress>

/** Name of a machine in replies. See machine-ref.ts. */
export const shownRef = {
  name: z.string().meta({ examples: ['python-a'] }),
  resourceGroup: z.string().meta({ examples: ['acme-python'] }),
}

export const machineSchema = z.object({
  _id: rowId,
  ...shownRef,
  os: z.string().meta({ examples: ['Ubuntu 24.04'] }),
  osType: z.enum(OPERATING_SYSTEMS).meta({ examples: ['Linux'] }),
  adminUsername: z.string().meta({ examples: ['learner'] }),
  adminPass: z.string().nullable(),
  /** Address of the machine, public or private as `addressKind` states. */
  publicIp: z
    .string()
    .nullable()
    .meta({ examples: ['203.0.113.7'] }),
  addressKind: z.enum(ADDRESS_KINDS),
  isAlive: z.boolean(),
  isRunning: z.boolean(),
  guacamole: z.boolean(),
  quota: z.object({
    consumed: z.number().meta({ examples: [120] }),
    total: z
      .number()
      .nullable()
      .meta({ examples: [2_400] }),
  }),
  email: z.string().meta({ examples: ['asha@example.com'] }),
  /** Name of the learner; null if none is known. */
  learnerName: z
    .string()
    .nullable()
    .meta({ examples: ['Asha Rao'] }),
  status: z.enum(MACHINE_STATUSES).meta({ examples: ['Running'] }),
  statusReason: z.string().nullable(),
  /** Time at which a planned machine will be ready; null for other machines. */
  readyAt: instant.nullable(),
  /** False if the caller cannot start a planned machine before `readyAt`. */
  earlyStart: z.boolean(),
  capturing: z.boolean().meta({ examples: [false] }),
  /** The portal does not retry until the machine is powered on again. */
  refused: z.boolean().meta({ examples: [false] }),
  spendingCapReason: z.string().nullable(),
  /** Operation in progress, or a completed one after which the machine does not answer yet. */
  progress: progress.nullable().meta({ examples: [null] }),
})
export type Machine = z.output<typeof machineSchema>

const machineRef = z.strictObject({ name: machineName, resourceGroup: name.meta({ examples: ['acme-python'] }) })
const places = z.array(machineRef).min(1, 'must name at least one machine').max(MACHINES_PER_CALL)

export const machine = {
  list: call({
    route: 'GET /azure/machines',
    for: people,
    public: { scope: 'machine:read', operation: 'listMachines' },
    does: "Lists a training's machines. Users get only the machines assigned to them.",
    query: trainingRef,
    reply: z.array(machineSchema),
  }),
  names: call({
    route: 'GET /azure/vmnames',
    for: people,
    does: "Lists the names of a training's machines, live ones first, with the learner of each at the same index.",
    query: trainingRef,
    reply: z.object({ vmList: z.array(z.string()), learners: z.array(z.string()) }),
  }),
  watch: call({
    route: 'GET /azure/machines/events',
    for: people,
    does: 'Streams the machines of a training that have changed, in the shape of the list.',
    query: trainingRef,
    reply: z.array(machineSchema),
    kind: 'stream',
  }),
  power: call({
    route: 'PATCH /azure/machines',
    for: people,
    public: { scope: 'machine:power', operation: 'powerMachines' },
    does: 'Starts (operation 1) or stops (operation 0) the given machines, all or none. With the header, a stop, or a start of several machines, is delayed for a few seconds, during which it can be undone.',
    audit: 'powered machines on or off',
    limit: machineCommands,
    size: 'list',
    urgency: 'power',
    headers: z.looseObject({ [UNDO_HEADER]: z.literal('1', 'must be 1').optional() }),
    body: z
      .tuple([z.strictObject({ operation: z.literal([0, 1]).meta({ examples: [1] }) })], machineRef)
      .refine((items) => items.length >= 2, 'must name at least one machine')
      .refine((items) => items.length - 1 <= MACHINES_PER_CALL, `must name at most ${MACHINES_PER_CALL} machines`),
    reply: z.object({
      message: z.string().meta({ examples: ['VM Start in Process, Please wait for 10 secs before trying again'] }),
    }),
  }),
  undo: call({
    route: 'PATCH /azure/machinesUndo',
    for: people,
    does: 'Cancels delayed stops and starts that have not been sent to the provider yet, all or none.',
    audit: 'undid a power command',
    limit: machineCommands,
    size: 'list',
    body: z.array(machineRef).min(1, 'must name at least one machine').max(MACHINES_PER_CALL),
  }),
  restart: call({
    route: 'PATCH /azure/machinesRestart',
    for: people,
    public: { scope: 'machine:power', operation: 'restartMachines' },
    does: 'Restarts the given running machines, all or none.',
    audit: 'restarted machines',
    limit: machineCommands,
    size: 'list',
    body: places,
  }),
  remove: call({
    route: 'DELETE /azure/machines',
    for: ['admin', 'superadmin'],
    public: { scope: 'machine:delete', operation: 'deleteMachines' },
    does: 'Deletes the given machines and all their resources, all or none. They stay listed as terminated, with their cost.',
    audit: 'deleted machines',
    limit: machineCommands,
    size: 'list',
    body: places,
  }),
  reset: call({
    route: 'PATCH /azure/machinesReset',
    for: ['admin', 'superadmin'],
    instructors: true,
    public: { scope: 'machine:reset', operation: 'resetMachines' },
    does: 'Recreates the given machines as they were ordered, with new disks, all or none. Learner and used hours stay.',
    audit: 'reset machines',
    limit: machineCommands,
    size: 'list',
    body: places,
  }),
  replace: call({
    route: 'PATCH /azure/machinesReplace',
    for: ['admin', 'superadmin'],
    does: 'Gives the learner of a machine another one, a ready one if one waits, and deletes the machine with its disk. The remaining hours go to the new machine.',
    audit: 'replaced a machine',
    limit: machineCommands,
    body: machineRef,
  }),
  handOver: call({
    route: 'PATCH /azure/machinesLearner',
    for: ['admin', 'superadmin'],
    public: { scope: 'machine:assign', operation: 'handOverMachine' },
    does: 'Reassigns a machine to another learner of the organisation and changes its password. The previous learner loses access.',
    audit: 'handed a machine to another learner',
    body: machineRef.extend({ email }),
  }),
  handOverAll: call({
    route: 'PATCH /azure/machinesLearners',
    for: ['admin', 'superadmin'],
    does: 'Reassigns machines, each to another learner of the organisation, and changes their passwords, all or none. With reset, they are also recreated with new disks.',
    audit: 'handed machines to other learners',
    limit: orders,
    size: 'list',
    body: z.strictObject({
      machines: z.array(machineRef.extend({ email })).min(1, 'must name at least one machine').max(MACHINES_PER_CALL),
      reset: z.boolean(),
    }),
  }),
  order: call({
    route: 'POST /azure/machines',
    for: ['admin', 'superadmin'],
    public: { scope: 'order:create', operation: 'createOrder' },
    does: 'Orders one machine from a template for each e-mail address. A new training name creates the training.',
    audit: 'ordered machines',
    limit: orders,
    size: 'list',
    body: z.strictObject({
      templateName,
      email: z.array(email).min(1, 'must name at least one learner').max(MACHINES_PER_CALL),
      trainingName,
      allocatedHours: allottedMinutes.meta({ examples: [2_400] }),
      createVmCount: z.int(),
      guacamole: z.boolean(),
      organization: organisationName.optional(),
      /** Names of learners. A name that a person chose themselves stays. */
      names: z
        .array(z.strictObject({ email, name: newName.meta({ examples: ['Asha Rao'] }) }))
        .max(MACHINES_PER_CALL)
        .optional(),
      /** When the machines must be ready, in the organisation's zone; omit it to start immediately. */
      readyBy: z
        .strictObject({ date: day, time: timeOfDay })
        .optional()
        .meta({ examples: [{ date: '2026-12-01', time: '08:45' }] }),
    }),
    reply: z.object({
      message: z.string().meta({ examples: ['VM Creation in Process, Please wait for 2 mins before trying again.'] }),
      waitMinutes: z.int().meta({ examples: [2] }),
    }),
    once: true,
  }),
  lastOrder: call({
    route: 'GET /azure/lastOrder',
    for: ['admin', 'superadmin'],
    public: { scope: 'order:read', operation: 'getLastOrder' },
    does: "Returns a training's latest order as the default for the next one, or null if there is none.",
    query: trainingRef,
    reply: z.object({
      lastOrder: z
        .object({
          templateName: z.string().meta({ examples: ['Ubuntu 24.04 Standard'] }),
          allocatedHours: z
            .number()
            .nullable()
            .meta({ examples: [2_400] }),
          guacamole: z.boolean(),
        })
        .nullable(),
    }),
  }),
  operations: call({
    route: 'GET /azure/operations',
    for: people,
    public: { scope: 'machine:read', operation: 'listOperations' },
    does: "Returns a machine's latest operations with the times of their steps, and how long its terminal or desktop took to open in browsers, newest first.",
    query: z.strictObject({ vmName: machineName }),
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
          milliseconds: z.int().meta({ examples: [1_800] }),
          usual: openingTimes,
        }),
      ),
    }),
  }),
  removeTraining: call({
    route: 'DELETE /azure/killTraining',
    for: ['superadmin'],
    does: "Deletes a training's machines and all their resources. They stay listed as terminated.",
    audit: 'deleted a training',
    query: trainingRef,
  }),
}

export const quota = {
  read: call({
    route: 'GET /admin/quota',
    for: ['superadmin'],
    does: 'Returns the allocated and consumed minutes of all machines of a training.',
    query: trainingRef,
    reply: z.object({ total: z.number(), consumed: z.number() }),
  }),
  increase: call({
    route: 'POST /admin/quota',
    for: ['superadmin'],
    does: "Increases a training's quota. The minutes are distributed evenly over the live machines that have a limit.",
    audit: 'increased a quota',
    body: trainingRef.extend({
      increaseBy: minutes
        .min(1, 'must be more than zero')
        .max(INCREASE_MINUTES_MAX, 'must be at most a thousand years'),
    }),
    reply: z.object({ message: z.string(), total: z.number() }),
    once: true,
  }),
}

/** Texts that follow the portal's name in the audit log: actions that are no calls. */
export const machineActions = {
  'cost.orphanDeleted': 'deleted an orphan at the provider',
} as const

declare module '@trainyard/platform/contract/contract.ts' {
  interface Contract {
    machine: typeof machine
    quota: typeof quota
  }
}
