import { sql } from 'kysely'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Kind } from '@trainyard/platform/server/run/reconcile/loop.ts'
import type { LockedRow, Outcome, Result } from '@trainyard/platform/server/run/reconcile/outcome.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import type { MachineRow } from '@trainyard/machines/tables.gen.ts'
import { requestRestart, setDesiredPower } from '@trainyard/machines/server/desired-power.ts'
import { ShellError } from '@trainyard/machines/server/ssh/shell-error.ts'
import { targetOf } from '@trainyard/remote-access/server/transfer.ts'
import { publish } from '@trainyard/users/server/notices.ts'
import type { guideEvents } from '../../contract/guide-event.ts'
import { PROOF, PROOF_MACHINES_MAX, PROOF_MINUTES_MAX, PROOFS_AT_ONCE } from '../../contract/proof-words.ts'
import { scriptFiles } from '../format/references.ts'
import type { Guide } from '../format/schema.ts'
import type { ScriptConnection, Scripts } from '../machine/script.ts'
import { environmentFor } from '../run/scripts.ts'
import { lockOf } from '../queries.ts'
import { filesOf, guideOf } from '../store.ts'
import type { ProofRow } from '../../tables.gen.ts'
import { orderMachine } from './machine.ts'
import { type Part, planOf, type ProofPlan } from './parts.ts'
import { selectCost, selectSecondsLeft } from './queries.ts'
import { type Fault, type PartResult, runPart } from './run-part.ts'

interface ProofDependencies {
  readonly db: Db
  readonly seal: Seal
  readonly scripts: Scripts
}

/** Seconds. */
const POLL = 2
const POLL_DELETION = 3
const POLL_TURN = 15

/** Proves guides, each on its own machine. */
export function proofKind({ db, seal, scripts }: ProofDependencies): Kind<ProofRow> {
  return {
    table: 'proof',
    maxConcurrent: 4,
    stepLimitMs: () => PROOF_MINUTES_MAX * 60_000,
    // In the order of other transactions: a removal of the organisation or the template changes rows of proofs.
    async lockBefore(tx, { organisation_id, template_id, phase }) {
      await tx.selectFrom('organisation').select('id').where('id', '=', organisation_id).forKeyShare().execute()
      if (phase !== 'waiting') return
      await lockOf(tx, 'guide proofs', organisation_id)
      await tx.selectFrom('template').select('id').where('id', '=', template_id).forShare().execute()
    },
    async step(row) {
      if (row.phase === 'ended') return { next: null }
      if (row.phase === 'waiting') return (tx, locked) => startMachine(tx, seal, locked)
      const machine = await db
        .selectFrom('machine')
        .selectAll()
        .where('id', '=', row.machine_id!)
        .executeTakeFirstOrThrow()
      if (row.phase === 'deleting')
        return machine.terminated_at === null ? { next: POLL_DELETION } : (tx, locked) => forgetMachine(tx, locked)
      const { rows } = await selectSecondsLeft(db, row.id)
      const left = rows[0]?.seconds ?? 0
      const reason = whyNotRun(row, machine, left)
      if (reason !== null) return notRun(reason)
      if (!isUsable(machine)) return { set: { last_error: row.last_error }, next: POLL }
      if (row.phase !== 'testing') return { set: { phase: 'testing' }, next: 0 }
      // The worker that began the part was killed, and how far its scripts came is not known.
      if (row.part_begun) return beginAgain
      return testPart({ db, seal, scripts }, row, machine, left)
    },
  }
}

const isUsable = ({ observed, desired, password_due, public_ip, restart_asked_at, command }: MachineRow) =>
  observed === 'running' &&
  desired === 'running' &&
  !password_due &&
  public_ip !== null &&
  restart_asked_at === null &&
  command === null

/** Returns why the proof cannot continue, which is no fault of the guide; null if it can. */
function whyNotRun(row: ProofRow, machine: MachineRow, left: number): string | null {
  if (machine.desired === 'gone') return PROOF.deleted
  if (machine.desired === 'stopped') return machine.stop_reason ?? PROOF.stopped
  if (machine.refused) return machine.last_error
  if (left > 0) return null
  return row.phase === 'starting' ? (machine.last_error ?? PROOF.notStarted) : (row.last_error ?? PROOF.tooLong)
}

/** Orders the machine, unless other proofs of the organisation use all places. */
async function startMachine(tx: Tx, seal: Seal, row: LockedRow<ProofRow>): Promise<Outcome<ProofRow>> {
  const { count } = await tx
    .selectFrom('proof')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organisation_id', '=', row.organisation_id)
    .where('machine_id', 'is not', null)
    .executeTakeFirstOrThrow()
  if (count >= PROOFS_AT_ONCE) return { next: POLL_TURN }
  const { rows } = await selectSecondsLeft(tx, row.id)
  if (row.started_at !== null && (rows[0]?.seconds ?? 0) <= 0) return endProof(tx, row, 'not run', PROOF.tooLong)
  try {
    if (row.template_id === null) return endProof(tx, row, 'not run', PROOF.noTemplate)
    const machine_id = await orderMachine(tx, seal, row)
    const started_at = row.started_at ?? row.now
    return { set: { phase: 'starting', machine_id, machines: row.machines + 1, started_at }, next: POLL }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return endProof(tx, row, 'not run', error.message)
  }
}

/** Stores the result of a proof, and deletes its machine. */
export async function endProof(
  tx: Tx,
  row: LockedRow<ProofRow>,
  state: Exclude<ProofRow['state'], 'running'>,
  reason: string | null,
): Promise<Outcome<ProofRow>> {
  const { id, organisation_id: organisation, machine_id, template_name: template } = row
  const request = { proof: id, template, state, reason }
  await writeAudit(tx, { call: 'proof.end', requestId: id, actor: null, request, organisation })
  await publishResult(tx, row, state)
  const set = { state, reason, ended_at: row.now, part_begun: false }
  if (machine_id === null) return { set: { ...set, phase: 'ended' }, next: null }
  await setDesiredPower(tx, [machine_id], 'gone')
  return { set: { ...set, phase: 'deleting' }, next: POLL }
}

async function publishResult(tx: Tx, row: ProofRow, state: ProofRow['state']): Promise<void> {
  if (state !== 'proven' && state !== 'faulty') return
  const { id, number, slug } = await tx
    .selectFrom('guide_version')
    .innerJoin('guide', 'guide.id', 'guide_version.guide_id')
    .select(['guide.id', 'number', 'slug'])
    .where('guide_version.id', '=', row.version_id)
    .executeTakeFirstOrThrow()
  const of = { organisation: row.organisation_id, resource: `guide:${id}` }
  const data = { guide: slug, number, proof: { id: row.id }, template: row.template_name, image: row.image_id }
  if (state === 'proven') return publish<typeof guideEvents>(tx, [{ ...of, type: 'guide.proven', data }])
  const found = await tx
    .selectFrom('proof_fault')
    .select('kind')
    .distinct()
    .where('proof_id', '=', row.id)
    .orderBy('kind')
    .execute()
  const faults = found.map(({ kind }) => kind)
  await publish<typeof guideEvents>(tx, [{ ...of, type: 'guide.faulty', data: { ...data, faults } }])
}

const notRun =
  (reason: string): Result<ProofRow> =>
  (tx, row) =>
    endProof(tx, row, 'not run', reason)

/** Deletes the machine and its findings. A proof that has no result then gets another machine. */
const beginAgain: Result<ProofRow> = async (tx, row) => {
  if (row.machines >= PROOF_MACHINES_MAX) return endProof(tx, row, 'not run', PROOF.lost)
  await setDesiredPower(tx, [row.machine_id!], 'gone')
  await tx.deleteFrom('proof_fault').where('proof_id', '=', row.id).execute()
  return { set: { phase: 'deleting', part: 0, part_begun: false, step: '', task: '' }, next: POLL }
}

/** The machine no longer exists at the provider. */
async function forgetMachine(tx: Tx, row: LockedRow<ProofRow>): Promise<Outcome<ProofRow>> {
  const { rows } = await selectCost(tx, row.machine_id!, row.now)
  const cost_paise = sql<ProofRow['cost_paise']>`cost_paise + ${rows[0]!.paise}::bigint`
  return row.state === 'running'
    ? { set: { phase: 'waiting', machine_id: null, cost_paise }, next: 0 }
    : { set: { phase: 'ended', machine_id: null, cost_paise }, next: null }
}

interface PartContext {
  readonly version: { readonly slug: string; readonly number: number }
  readonly guide: Guide
  readonly plan: ProofPlan
}

async function contextOf(db: Db, { version_id, variables }: ProofRow): Promise<PartContext> {
  const row = await db
    .selectFrom('guide_version')
    .innerJoin('guide', 'guide.id', 'guide_version.guide_id')
    .select(['slug', 'number', 'content'])
    .where('guide_version.id', '=', version_id)
    .executeTakeFirstOrThrow()
  const guide = guideOf(row)
  return { version: row, guide, plan: planOf(guide, variables as Record<string, string>) }
}

/** Runs the next part, which is stored as begun before its first script. @param left seconds until the time limit */
async function testPart(
  { db, seal, scripts }: ProofDependencies,
  row: ProofRow,
  machine: MachineRow,
  left: number,
): Promise<Result<ProofRow>> {
  const context = await contextOf(db, row)
  const part = context.plan.parts[row.part]!
  if (part.kind === 'restart')
    return async (tx, locked) => {
      await requestRestart(tx, [machine.id])
      return { set: { phase: 'restarting', part: locked.part + 1 }, next: POLL }
    }
  return {
    set: {
      part_begun: true,
      ...('step' in part && { step: part.step.id, task: 'task' in part ? part.task.id : '' }),
    },
    async next(begun, stopped): Promise<Result<ProofRow>> {
      const deadline = AbortSignal.timeout(Math.ceil(left * 1_000))
      let connection: ScriptConnection
      try {
        connection = await scripts.open(await targetOf(db, machine, seal), AbortSignal.any([stopped, deadline]))
      } catch (error) {
        // The SSH server may not have started yet. The time limit ends the attempts.
        if (!(error instanceof ShellError || error instanceof Problem)) throw error
        return { set: { part_begun: false, last_error: error.message }, next: POLL }
      }
      try {
        const result = await runOn(connection, db, begun, { ...context, machine, part, left })
        return async (tx, locked) => {
          const { set, ...outcome } = await storePart(tx, locked, context, result)
          const { packages } = result
          return { ...outcome, set: { ...set, ...(packages && { packages: JSON.stringify(packages) }) } }
        }
      } catch (error) {
        if (!(error instanceof ShellError)) throw error
        return deadline.aborted ? notRun(PROOF.tooLong) : beginAgain
      } finally {
        connection.close()
      }
    },
  }
}

interface Running extends PartContext {
  readonly machine: MachineRow
  readonly part: Part
  readonly left: number
}

async function runOn(
  connection: ScriptConnection,
  db: Db,
  { id, version_id, variables }: ProofRow,
  { machine, version, guide, plan, part, left }: Running,
): Promise<PartResult> {
  const began = performance.now()
  const copies = (guide.files ?? []).map(({ from }) => from)
  const texts = await filesOf(db, version_id, [...new Set([...scriptFiles(guide), ...copies])])
  const found = await db
    .selectFrom('proof_fault')
    .select(['kind', 'task', 'script'])
    .where('proof_id', '=', id)
    .execute()
  const environment = environmentFor(version, machine.admin_username, variables as Record<string, string>)
  const runner = {
    texts,
    left: () => Math.max(1, Math.floor(left - (performance.now() - began) / 1_000)),
    run: ({ args = [], ...script }: Parameters<Parameters<typeof runPart>[0]['run']>[0]) =>
      connection.run({ ...script, args, variables: environment }),
  }
  return runPart(runner, guide, plan, part, found)
}

/** Stores the faults of a part, and after the last part the result. */
async function storePart(
  tx: Tx,
  row: LockedRow<ProofRow>,
  { guide, plan }: PartContext,
  { faults, goesOn }: PartResult,
): Promise<Outcome<ProofRow>> {
  if (faults.length > 0) await insertFaults(tx, row, faults)
  const part = row.part + 1
  if (goesOn && part < plan.parts.length) return { set: { part, part_begun: false }, next: 0 }
  const kinds = await tx.selectFrom('proof_fault').select('kind').distinct().where('proof_id', '=', row.id).execute()
  if (kinds.some(({ kind }) => kind !== 'no-solve')) return endProof(tx, row, 'faulty', null)
  if (kinds.length > 0) return endProof(tx, row, 'incomplete', PROOF.noSolve)
  return isLoose(guide) ? endProof(tx, row, 'incomplete', PROOF.loose) : endProof(tx, row, 'proven', null)
}

const isLoose = ({ steps }: Guide) =>
  steps.some(({ tasks = [] }) => tasks.some(({ checks }) => checks.some(({ exit }) => exit === 'loose')))

/** Faults of one part that are stored: what comes after them has the same cause. */
const FAULTS_MAX = 20

async function insertFaults(
  tx: Tx,
  { id: proof_id, organisation_id }: ProofRow,
  faults: readonly Fault[],
): Promise<void> {
  await tx
    .insertInto('proof_fault')
    .values(faults.slice(0, FAULTS_MAX).map((fault) => ({ proof_id, organisation_id, ...fault })))
    // The sweep and the test of a task can find the same fault.
    .onConflict((on) => on.doNothing())
    .execute()
}
