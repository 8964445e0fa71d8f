import { randomBytes, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { GuideRunId, GuideVersionId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, notFound, tooMany } from '@trainyard/platform/server/core/errors.ts'
import type { RowOf } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { MachineRow } from '@trainyard/machines/tables.gen.ts'
import {
  classInScope,
  machinesInScope,
  machinesOfClasses,
  type TrainingRef,
} from '@trainyard/trainings/server/scope.ts'
import { refuseOutsideWindow } from '@trainyard/trainings/server/window.ts'
import type { usersRenamed } from '@trainyard/users/server/address.ts'
import { GUIDE, SECONDS_BETWEEN_CHECKS } from '../../contract/guide-words.ts'
import type { GuideNode } from '../../contract/guide-text.ts'
import type { Guide, GuideStep, GuideTask } from '../format/schema.ts'
import type { Translation } from '../format/translations.ts'
import { guideOf, textsOf, translationsOf } from '../store.ts'
import { classSteps, shownStep, withoutHidden, withSteps } from './class-steps.ts'
import type { GuideRunRow } from '../../tables.gen.ts'

/** The guide of a learner's machine, and the learner's work with it. */
export interface OwnGuide {
  readonly machine: MachineRow
  readonly version: { readonly id: GuideVersionId; readonly number: number; readonly slug: string }
  readonly guide: Guide
  readonly texts: Readonly<Record<string, readonly GuideNode[]>>
  /** In the language of the learner; null: in the guide's own. */
  readonly translation: Translation | null
  /** Languages of the guide, its own first. */
  readonly languages: readonly string[]
  readonly language: string
  /** Markdown of the instructors, by step. */
  readonly notes: ReadonlyMap<string, string>
  /** Step that the learner sees; null until the learner opens the guide. */
  readonly step: string | null
  /** null until the learner opens the guide. */
  readonly run: GuideRunRow | null
}

export type OpenGuide = OwnGuide & { readonly run: GuideRunRow; readonly step: string }

/**
 * Returns the guide of a machine of the actor; null if it has none or belongs to another learner.
 * @throws Problem notFound; closed outside the access window
 */
export async function ownGuide(
  db: Db,
  actor: Actor,
  name: string,
  loads: 'texts' | 'no texts' = 'texts',
): Promise<OwnGuide | null> {
  const machine = await machinesInScope(db, actor).selectAll().where('name', '=', name).executeTakeFirst()
  if (machine === undefined) throw notFound('machine')
  if (machine.email !== actor.email) return null
  if (machine.terminated_at !== null || machine.desired === 'gone') throw conflict(GUIDE.machineDeleted(name))
  await refuseOutsideWindow(db, actor, [machine.training_id])
  return guideOfMachine(db, machine, actor.id, loads)
}

/** Returns the guide of a machine, with the work of its learner; null if it has none. */
async function guideOfMachine(
  db: Db,
  machine: MachineRow,
  reader: UserId | null,
  loads: 'texts' | 'no texts' = 'texts',
): Promise<OwnGuide | null> {
  const ifLoaded = (column: 'texts' | 'translations') =>
    sql`case when ${loads === 'texts'} then ${sql.ref(`v.${column}`)} else '{}' end`.as(column)
  const row = await db
    .selectFrom('training_guide as a')
    .innerJoin('guide_version as v', 'v.id', 'a.version_id')
    .innerJoin('guide as g', 'g.id', 'v.guide_id')
    .leftJoin('template as t', 't.id', 'a.template_id')
    .select(['v.id', 'v.guide_id', 'v.number', 'g.slug', 'v.content', ifLoaded('texts'), ifLoaded('translations')])
    .where('a.training_id', '=', machine.training_id)
    .where('a.organisation_id', '=', machine.organisation_id)
    .where((eb) =>
      eb.or([
        eb('a.template_id', 'is', null),
        eb('t.name', '=', eb.selectFrom('machine_order').select('template_name').where('id', '=', machine.order_id)),
      ]),
    )
    .orderBy(sql`a.template_id is null`)
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return null
  const { id, number, slug } = row
  const run = await db
    .selectFrom('guide_run')
    .selectAll()
    .where('machine_id', '=', machine.id)
    .where('email', '=', machine.email)
    .where('version_id', '=', id)
    .where('reset_count', '=', machine.reset_count)
    .executeTakeFirst()
  const whole = guideOf(row)
  const steps = (await classSteps(db, machine.training_id))(row.guide_id)
  const guide = withoutHidden(run === undefined ? whole : withSteps(whole, stepsFor(whole, variablesOf(run))), steps)
  const step = run === undefined ? null : shownStep(whole, guide, run.step)
  const translations = translationsOf(row)
  const chosen =
    reader === null
      ? undefined
      : await db.selectFrom('guide_language').select('language').where('user_id', '=', reader).executeTakeFirst()
  const translation = chosen === undefined ? undefined : translations[chosen.language]
  return {
    machine,
    version: { id, number, slug },
    guide,
    texts: textsOf(row),
    translation: translation ?? null,
    languages: [whole.language, ...Object.keys(translations)],
    language: translation === undefined ? whole.language : chosen!.language,
    notes: steps.notes,
    step,
    run: run ?? null,
  }
}

type Asked = Parameters<typeof ownGuide>

/** Like `ownGuide`. @throws Problem also conflict if there is no guide */
export async function existingGuide(...asked: Asked): Promise<OwnGuide> {
  const own = await ownGuide(...asked)
  if (own === null) throw conflict(GUIDE.none(asked[2]))
  return own
}

/** Like `existingGuide`. @throws Problem also conflict if the learner has not opened the guide */
export const openGuide = async (...asked: Asked): Promise<OpenGuide> =>
  opened(await existingGuide(...asked), GUIDE.notStarted)

function opened(own: OwnGuide, refusal: string): OpenGuide {
  if (own.run === null) throw conflict(refusal)
  return { ...own, run: own.run, step: own.step! }
}

/**
 * Returns the guide that a learner of the actor's class has opened.
 * @throws Problem notFound; conflict if the learner has not opened it
 */
export async function guideOfLearner(
  db: Db,
  actor: Actor,
  { vmName, ...training }: TrainingRef & { readonly vmName: string },
): Promise<OpenGuide> {
  const { id } = await classInScope(db, actor, training)
  const machine = await machinesOfClasses(db, actor)
    .selectAll()
    .where('training_id', '=', id)
    .where('name', '=', vmName)
    .executeTakeFirst()
  if (machine === undefined) throw notFound('machine')
  const own = await guideOfMachine(db, machine, null)
  if (own === null) throw conflict(GUIDE.none(vmName))
  return opened(own, GUIDE.notStartedBy(machine.email))
}

export const variablesOf = ({ variables }: Pick<GuideRunRow, 'variables'>) => variables as Record<string, string>

/** Returns the steps whose condition the variables meet. */
export const stepsFor = ({ steps }: Guide, variables: Readonly<Record<string, string>>): GuideStep[] =>
  steps.filter(({ when }) => when === undefined || when.is.includes(variables[when.variable] ?? ''))

/** Starts the learner's work with the guide, unless it has begun. */
export async function startRun(tx: Tx, { machine, version, guide }: OwnGuide): Promise<GuideRunRow> {
  const variables = chooseVariables(guide)
  return tx
    .insertInto('guide_run')
    .values({
      organisation_id: machine.organisation_id,
      machine_id: machine.id,
      version_id: version.id,
      email: machine.email,
      reset_count: machine.reset_count,
      variables: JSON.stringify(variables),
      step: stepsFor(guide, variables)[0]?.id ?? guide.steps[0]!.id,
    })
    .onConflict((on) =>
      on.columns(['machine_id', 'email', 'version_id', 'reset_count']).doUpdateSet({ email: machine.email }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Moves the results of learners whose address changes, as their machines move. */
export async function moveRuns(tx: Tx, renamed: readonly RowOf<typeof usersRenamed>[]): Promise<void> {
  for (const { organisation, from, to } of renamed)
    await tx
      .updateTable('guide_run as run')
      .set({ email: to })
      .where('run.organisation_id', '=', organisation)
      .where('run.email', '=', from)
      // A former learner of the machine may have had the address.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('guide_run as other')
              .select('other.id')
              .whereRef('other.machine_id', '=', 'run.machine_id')
              .whereRef('other.version_id', '=', 'run.version_id')
              .whereRef('other.reset_count', '=', 'run.reset_count')
              .where('other.email', '=', to),
          ),
        ),
      )
      .execute()
}

/** Words for `random: word`. */
const WORDS = ['amber', 'azure', 'coral', 'crimson', 'emerald', 'indigo', 'ivory', 'lilac', 'maroon', 'olive', 'teal']

export function chooseVariables({ variables = [] }: Guide): Record<string, string> {
  const chosen: Record<string, string> = {}
  for (const { name, value, random, length = 8 } of variables) {
    if (value !== undefined) chosen[name] = value
    else if (random === 'word') chosen[name] = WORDS[randomInt(WORDS.length)]!
    else if (random === 'hex') chosen[name] = randomBytes(16).toString('hex').slice(0, length)
    else chosen[name] = Array.from({ length }, (_, index) => randomInt(index === 0 ? 1 : 0, 10)).join('')
  }
  return chosen
}

/** Returns a task of the guide with its step. @throws Problem notFound */
export function taskIn(guide: Guide, id: string): { readonly step: GuideStep; readonly task: GuideTask } {
  for (const step of guide.steps) {
    const task = step.tasks?.find((each) => each.id === id)
    if (task !== undefined) return { step, task }
  }
  throw conflict(GUIDE.noTask)
}

/**
 * Reserves the machine of a run for scripts, so that only one click at a time uses it.
 * @throws Problem conflict while another script runs; tooMany for clicks in quick succession
 */
export async function reserve(
  db: Db,
  { id }: Pick<GuideRunRow, 'id'>,
  seconds: number,
  { isClick }: { readonly isClick: boolean },
): Promise<void> {
  const isFree = sql<boolean>`coalesce(busy_until < portal_now(), true)`
  const soon = sql<boolean>`asked_at > portal_now() - make_interval(secs => ${SECONDS_BETWEEN_CHECKS})`
  const { numUpdatedRows } = await db
    .updateTable('guide_run')
    .set({ busy_until: sql<Date>`portal_now() + make_interval(secs => ${seconds})` })
    .$if(isClick, (update) => update.set({ asked_at: sql<Date>`portal_now()` }))
    .where('id', '=', id)
    .where(isFree)
    .$if(isClick, (update) => update.where((eb) => eb.or([eb('asked_at', 'is', null), eb.not(soon)])))
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  const row = await db
    .selectFrom('guide_run')
    .select(soon.as('soon'))
    .where('id', '=', id)
    .where(isFree)
    .executeTakeFirst()
  throw row === undefined ? conflict(GUIDE.busy) : tooMany(SECONDS_BETWEEN_CHECKS)
}

export async function release(db: Db, run: GuideRunId): Promise<void> {
  await db.updateTable('guide_run').set({ busy_until: null }).where('id', '=', run).execute()
}
export const keyOf = ({ id, organisation_id }: GuideRunRow) => ({ run_id: id, organisation_id })
