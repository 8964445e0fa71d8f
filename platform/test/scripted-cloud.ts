import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { MachineId, TrainingId } from '../contract/words/ids.ts'
import { paise } from '../contract/words/money.ts'
import type { App } from '@trainyard/server/build-app.ts'
import type { MachineRow } from '@trainyard/machines/tables.gen.ts'
import type {
  Cloud,
  MachineDeletion,
  ListedMachine,
  CloudMachineState,
  TaggedMachine,
} from '@trainyard/templates/server/cloud.ts'
import type { Columns } from '../server/run/reconcile/outcome.ts'
import { template } from './orders.ts'
import type { TestPortal } from './portal.ts'
import { updateRunSums } from './run-sums.ts'
import { testReconciler } from './test-reconciler.ts'

let count = 0

/** A training in a separate organisation, with the template of its machines. */
export interface TestTraining {
  readonly training: TrainingId
  readonly template: string
  /** Inserts a newly ordered machine; `columns` override the defaults. */
  add(columns?: Columns<MachineRow>): Promise<MachineId>
}

/**
 * Prepares a test in which a worker processes single rows: fixes the clock, and adds a training in a separate
 * organisation.
 */
export const startReconcilerTest = async (portal: Pick<TestPortal, 'app' | 'owner'>) => ({
  reconciler: await testReconciler(portal),
  testTraining: await addTraining(portal.app),
})

export async function addTraining({ db, seal }: App): Promise<TestTraining> {
  const label = `place ${++count}`
  const created = { ...template(), name: label }
  const { name: _name, rate_paise, cpu: _cpu, memory: _memory, storage: _storage, disk: _disk, ...make } = created
  const organisation = await db
    .insertInto('organisation')
    .values({ name: label, logo: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('template').values(created).execute()
  const training = await db
    .insertInto('training')
    .values({ organisation_id: organisation.id, name: label })
    .returning('id')
    .executeTakeFirstOrThrow()
  const of = { organisation_id: organisation.id, training_id: training.id }
  const order = await db
    .insertInto('machine_order')
    .values({ ...of, template_name: label, ordered_by: 'admin@place.test', machine_count: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  return {
    training: training.id,
    template: label,
    async add(columns = {}) {
      const id = randomUUID() as MachineId
      await db
        .insertInto('machine')
        .values({
          ...of,
          ...make,
          id,
          order_id: order.id,
          name: `vm-${++count}`,
          email: `learner${count}@place.test`,
          ordered_for: `learner${count}@place.test`,
          admin_username: 'trainyard',
          admin_password: seal.seal('Correct-Horse-7', id),
          guacamole: true,
          paise_per_hour: paise(rate_paise),
          allotted_minutes: null,
          ...columns,
        })
        .execute()
      return id
    },
  }
}

/** Inserts the open run of a machine, billed by the provider since an instant. */
export async function openRun({ db }: App, id: MachineId, since: Date): Promise<void> {
  await sql`
    insert into run (machine_id, organisation_id, started_at, paise_per_hour, opened_by, opened_told_at)
    select id, organisation_id, ${since}, paise_per_hour, 'start accepted', ${since} from machine where id = ${id}`.execute(
    db,
  )
  await updateRunSums(db, sql`id = ${id}`)
}

/** Test double of the cloud port. It returns the configured states, records calls, and throws configured failures. */
export interface ScriptedCloud extends Cloud {
  at: Date
  state: CloudMachineState
  address: string | null
  remaining: MachineDeletion['remaining']
  password: 'set' | 'working'
  list: readonly ListedMachine[]
  tagged: readonly TaggedMachine[]
  failures: Readonly<Record<string, Error>>
  /** True if the provider finishes commands before it replies. */
  isFinished: boolean
  readonly calls: string[]
  /** Called while each call is in progress. */
  duringCall: () => Promise<unknown>
}

const notScripted = async () => {
  throw new Error('This call is not part of the scripted cloud.')
}
/** Calls of images, ports and offers, which throw. */
const NOT_SCRIPTED = {
  captureMachine: notScripted,
  deleteImage: notScripted,
  updateRules: notScripted,
  deleteSecurityGroup: notScripted,
  getOffers: notScripted,
  hasAcceptedTerms: notScripted,
}

export function scriptedCloud(at: Date): ScriptedCloud {
  const calls: string[] = []
  const note = async (call: string, detail = '') => {
    calls.push(`${call}${detail}`)
    await scripted.duringCall()
    const error = scripted.failures[call]
    if (error !== undefined) throw error
  }
  const accepted = (call: string) => async () => {
    await note(call)
    return { at: scripted.at, isFinished: scripted.isFinished }
  }
  const scripted: ScriptedCloud = {
    ...NOT_SCRIPTED,
    at,
    state: { state: 'absent' },
    address: null,
    remaining: 'nothing',
    password: 'set',
    list: [],
    tagged: [],
    failures: {},
    isFinished: false,
    calls,
    duringCall: async () => undefined,
    createMachine: accepted('create'),
    startMachine: accepted('start'),
    stopMachine: accepted('stop'),
    restartMachine: accepted('restart'),
    async deleteMachine({ isKnownToExist, firstSeenAt }) {
      await note('delete', isKnownToExist ? ' known' : firstSeenAt === null ? ' never observed' : '')
      return { at: scripted.at, remaining: scripted.remaining }
    },
    async setPassword({ username, password }) {
      await note('password', ` of ${username}: ${password}`)
      return scripted.password
    },
    async getMachine({ name }) {
      await note('read', ` ${name}`)
      return { at: scripted.at, seen: scripted.state, address: scripted.address }
    },
    async *listMachines() {
      await note('list')
      yield* scripted.list
    },
    async *listTaggedMachines() {
      await note('tags')
      yield* scripted.tagged
    },
  }
  return scripted
}
