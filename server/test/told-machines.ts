import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { MachineId, TrainingId } from '@trainyard/contract/words/ids.ts'
import { paise } from '@trainyard/contract/words/money.ts'
import type { App } from '../src/app/build-app.ts'
import type { MachineRow } from '../src/db/schema/machine.ts'
import type { Cloud, MachineDeletion, PlacedSighting, Seen, TaggedMachine } from '../src/providers/cloud.ts'
import type { Columns } from '../src/reconcile/outcome.ts'
import { template } from './orders.ts'
import type { TestPortal } from './portal.ts'
import { turnsOf } from './turn.ts'

let count = 0

/** A training in a separate organisation, with the template of its machines. */
export interface Place {
  readonly training: TrainingId
  readonly template: string
  /** Inserts a newly ordered machine; `columns` override the defaults. */
  add(columns?: Columns<MachineRow>): Promise<MachineId>
}

/** Prepares a test that processes single rows: a fixed clock, and a separate organisation. */
export const turnsAtPlace = async (portal: Pick<TestPortal, 'app' | 'owner'>) => ({
  turns: await turnsOf(portal),
  place: await makePlace(portal.app),
})

export async function makePlace({ db, seal }: App): Promise<Place> {
  const word = `place ${++count}`
  const made = { ...template(), name: word }
  const { name: _name, rate_paise, cpu: _cpu, memory: _memory, storage: _storage, disk: _disk, ...make } = made
  const organisation = await db
    .insertInto('organisation')
    .values({ name: word, logo: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('template').values(made).execute()
  const training = await db
    .insertInto('training')
    .values({ organisation_id: organisation.id, name: word })
    .returning('id')
    .executeTakeFirstOrThrow()
  const of = { organisation_id: organisation.id, training_id: training.id }
  const order = await db
    .insertInto('machine_order')
    .values({ ...of, template_name: word, ordered_by: 'admin@place.test', machine_count: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  return {
    training: training.id,
    template: word,
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
}

/** A test double of the cloud port. It returns the configured states, records calls, and throws configured failures. */
export interface ToldCloud extends Cloud {
  at: Date
  seen: Seen
  publicAddress: string | null
  remaining: MachineDeletion['remaining']
  password: 'set' | 'working'
  list: readonly PlacedSighting[]
  tagged: readonly TaggedMachine[]
  failures: Readonly<Record<string, Error>>
  readonly asked: string[]
  /** Called while each call is in progress. */
  meanwhile: () => Promise<unknown>
}

const notHere = async () => {
  throw new Error('This call is not part of the scripted cloud.')
}
/** The calls of images, ports and offers, which throw. */
const NEVER_ASKED = {
  captureMachine: notHere,
  discardImage: notHere,
  holdPorts: notHere,
  deleteSecurityGroup: notHere,
  offersAt: notHere,
  termsAccepted: notHere,
}

export function toldCloud(at: Date): ToldCloud {
  const asked: string[] = []
  const note = async (call: string, detail = '') => {
    asked.push(`${call}${detail}`)
    await told.meanwhile()
    const error = told.failures[call]
    if (error !== undefined) throw error
  }
  const accepted = (call: string) => async () => {
    await note(call)
    return { at: told.at }
  }
  const told: ToldCloud = {
    ...NEVER_ASKED,
    at,
    seen: { state: 'absent' },
    publicAddress: null,
    remaining: 'nothing',
    password: 'set',
    list: [],
    tagged: [],
    failures: {},
    asked,
    meanwhile: async () => undefined,
    createMachine: accepted('create'),
    startMachine: accepted('start'),
    stopMachine: accepted('stop'),
    restartMachine: accepted('restart'),
    async deleteMachine({ stands, firstSeenAt }) {
      await note('delete', stands ? ' what stands' : firstSeenAt === null ? ' what was never seen' : '')
      return { at: told.at, remaining: told.remaining }
    },
    async setPassword({ username, password }) {
      await note('password', ` of ${username}: ${password}`)
      return told.password
    },
    async lookAtMachine({ name }) {
      await note('look', ` at ${name}`)
      return { at: told.at, seen: told.seen, publicAddress: told.publicAddress }
    },
    async *lookAtAllMachines() {
      await note('list')
      yield* told.list
    },
    async *taggedMachines() {
      await note('tags')
      yield* told.tagged
    },
  }
  return told
}
