import { type RawBuilder, sql } from 'kysely'
import type { OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { ask, hook, sqlHook, sqlOf } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { setDesiredMachines } from './desired-state.ts'

/** Sentences that refuse an order or a start. */
export interface Refusal {
  readonly sentence: string
  /** Sentence for instructors and learners, who start machines and order by registration links. */
  readonly toLearners: string
}

export interface StartRefusal extends Refusal {
  /** Completes 'linux-1: ...' in the outcome of a schedule, which instructors read. */
  readonly brief: string
}

type ByTraining<Value> = ReadonlyMap<TrainingId, Value>

/** The first module that gives a reason for a training decides. */
const firstOfEach = <Value>(first: ByTraining<Value>, second: ByTraining<Value>): ByTraining<Value> =>
  new Map([...first, ...[...second].filter(([id]) => !first.has(id))])

/** Asks which trainings' machines must not start, and why. */
export const mayStart = hook<readonly TrainingId[], ByTraining<StartRefusal>, Tx>(
  'machines.mayStart',
  new Map(),
  firstOfEach,
)

/** Asks why an organisation must not order machines. Null: it may. */
export const mayOrder = hook<OrganisationId, Refusal | null, Tx>(
  'machines.mayOrder',
  null,
  (first, second) => first ?? second,
)

/** Asks which trainings' machines must stay off, and why, in a sentence that learners may read. */
export const staysOff = hook<readonly TrainingId[], ByTraining<string>>('machines.staysOff', new Map(), firstOfEach)

/** Condition on `machine`: the machine must be off. */
export const mustStop = sqlHook<void, boolean>('machines.mustStop', (answers) =>
  answers.length === 0 ? sql`false` : sql`(${sql.join(answers, sql` or `)})`,
)

/** Query for organisations that can have machines for which `mustStop` is true or `staysOff` gives a reason. */
export const mustStopIn = sqlHook<void, unknown>('machines.mustStopIn', (answers) =>
  answers.length === 0 ? sql`select null::uuid where false` : sql.join(answers, sql` union all `),
)

const stopsSome = () => sql`(${sqlOf(mustStopIn, undefined)})`

/** SQL: false if no machine of the organisation must stay off. This saves the queries of `stayOffReasons`. */
export const canStayOff = (organisation: OrganisationId): RawBuilder<boolean> =>
  sql<boolean>`${organisation} in ${stopsSome()}`

const isToStop = () => sql`organisation_id in ${stopsSome()} and desired = 'running' and terminated_at is null
  and ${sqlOf(mustStop, undefined)}`

/** SQL: true if `stopMachines` would stop a machine. */
export const isStopDue = (): RawBuilder<boolean> => sql<boolean>`exists (select from machine where ${isToStop()})`

/** Stops the machines for which `mustStop` is true. Returns their number. */
export async function stopMachines(tx: Tx): Promise<number> {
  const stopped = await setDesiredMachines(tx, {
    rows: sql`select machine.id, machine.last_error from machine where ${isToStop()} order by machine.id for update skip locked`,
    desired: 'stopped',
    set: sql`restart_asked_at = null`,
  })
  return stopped.length
}

/** Returns why machines of trainings must stay off. */
export const stayOffReasons = (db: Db, trainings: readonly TrainingId[]): Promise<ByTraining<string>> =>
  ask(db, staysOff, trainings)

/** Returns why machines of trainings must not start, in the short form that a schedule's outcome shows. */
export async function startRefusals(tx: Tx, trainings: readonly TrainingId[]): Promise<ByTraining<string>> {
  return new Map([...(await ask(tx, mayStart, trainings))].map(([id, { brief }]) => [id, brief]))
}

/** @throws Problem conflict if machines of one of the trainings must not start */
export async function requireMayStart(
  tx: Tx,
  actor: Pick<Actor, 'role'>,
  trainings: readonly TrainingId[],
): Promise<void> {
  const [refusal] = (await ask(tx, mayStart, trainings)).values()
  if (refusal !== undefined) throw conflict(sentenceFor(actor, refusal))
}

/** @throws Problem conflict if the organisation must not order machines */
export async function requireMayOrder(tx: Tx, actor: Pick<Actor, 'role'>, organisation: OrganisationId): Promise<void> {
  const refusal = await ask(tx, mayOrder, organisation)
  if (refusal !== null) throw conflict(sentenceFor(actor, refusal))
}

const sentenceFor = ({ role }: Pick<Actor, 'role'>, { sentence, toLearners }: Refusal): string =>
  role === 'admin' || role === 'superadmin' ? sentence : toLearners
