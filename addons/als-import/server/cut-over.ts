import { labMoved } from './jobs.ts'
import { sql } from 'kysely'
import type { OrderId, OrganisationId, RegistrationLinkId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { MACHINES_PER_CALL } from '@trainyard/platform/contract/words/limits.ts'
import { newName } from '@trainyard/platform/contract/shapes.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { setDesiredPower } from '@trainyard/machines/server/desired-power.ts'
import { lockMachines } from '@trainyard/machines/server/record.ts'
import { orderMachines, type OrderDependencies } from '@trainyard/machines/server/order/order.ts'
import { instantOf } from '@trainyard/schedules/server/instant.ts'
import { addInstructor, endInstructors } from '@trainyard/trainings/server/instructor.ts'
import { windowOf } from '@trainyard/trainings/server/window.ts'
import { cancel, lockedState } from './apply.ts'
import { addLink } from '@trainyard/registration/server/link.ts'
import { freeSeatsOf, isPending } from './differences.ts'
import {
  updateAllottedMinutes,
  selectEmailsOfOtherRoles,
  selectEmailsWithMachine,
  removeReadyBy,
  selectMachinesOfOrder,
  selectAnyMachine,
  restoreIdleStop,
  deleteUnusedLink,
  revokeLink,
  deleteUnusedAccounts,
} from './queries.ts'
import type { Applied } from './target.ts'
import { markRemoved } from '@trainyard/trainings/server/existence.ts'
import { classChanged, machinesChanged } from '@trainyard/trainings/server/machine-changes.ts'

interface CutOver {
  readonly lab: string
  readonly readyBy: { readonly date: string; readonly time: string }
  readonly guacamole: boolean
}

/**
 * Moves a lab: orders a machine for each learner, ready at the time of the class, invites the learners with this time,
 * and marks the lab as moved. Does not change anything in Lab Services.
 */
export async function cutOver(
  tx: Tx,
  actor: Actor,
  { lab, readyBy, guacamole }: CutOver,
  parts: OrderDependencies,
): Promise<{ readonly machines: number; readonly training: string }> {
  const { row, source, applied, template, items, trainingName } = await lockedState(tx, actor, lab)
  if (row.moved_at !== null) throw conflict(`${source.title} has moved already.`)
  if (applied === null || row.training_id === null) throw conflict(`Import ${source.title} first.`)
  const pending = items.find(isPending)
  if (pending !== undefined) {
    throw conflict(`${source.title} has changed since it was imported (${pending.name}). Import it again first.`)
  }
  if (template === null) throw conflict(`Choose a template for ${source.title} first.`)
  const blocked = new Set(
    items.flatMap(({ kind, state, name }) => (kind === 'learner' && state === 'blocked' ? [name] : [])),
  )
  const withMachine = await emailsWithMachine(tx, row.training_id)
  const emails = Object.keys(applied.learners).filter((email) => !blocked.has(email) && !withMachine.has(email))
  const owners = items.flatMap(({ kind, state, name }) => (kind === 'owner' && state === 'create' ? [name] : []))
  if (emails.length + owners.length > MACHINES_PER_CALL) {
    throw conflict(
      `${source.title} has ${emails.length + owners.length} learners and owners. At most ${MACHINES_PER_CALL} can move at once: remove some from the lab and import it again.`,
    )
  }
  let order: OrderId | null = null
  if (emails.length > 0) {
    await orderMachines(
      tx,
      actor,
      {
        templateName: template.name,
        email: emails,
        trainingName,
        allocatedHours: null,
        createVmCount: emails.length,
        guacamole,
        readyBy,
        names: source.users.flatMap(({ email, displayName }) => {
          const name = newName.safeParse(displayName)
          return name.success && emails.includes(email) ? [{ email, name: name.data }] : []
        }),
        ...(actor.role === 'superadmin' ? { organization: row.organization } : {}),
      },
      parts,
    )
    const created = await tx
      .selectFrom('machine_order')
      .select('id')
      .where('training_id', '=', row.training_id)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow()
    order = created.id
    const { rows: limited } = await updateAllottedMinutes(
      tx,
      emails,
      emails.map((email) => applied.learners[email] ?? null),
      order,
    )
    await machinesChanged(
      tx,
      limited.map(({ id: machine }) => machine),
    )
    await parts.jobs.enqueue(
      tx,
      labMoved,
      emails.map((email) => ({ lab: row.id, email })),
      row.organisation_id,
    )
  }
  await addOwners(
    tx,
    actor,
    { id: row.training_id, name: trainingName, organisationId: row.organisation_id },
    owners,
    parts,
  )
  const hasLink = items.some(({ kind, state }) => kind === 'link' && state === 'create')
  const link = hasLink
    ? await addLink(
        tx,
        parts.seal,
        { organisation: row.organisation_id, training: row.training_id, madeBy: actor.email },
        {
          name: LINK_NAME,
          seats: freeSeatsOf(source),
          opensAt: null,
          closesAt: null,
          domains: [],
          // A lab without open access admits listed users only.
          needsApproval: !source.openAccess,
          machine: {
            template: template.id,
            minutes: source.quotaMinutes === 0 ? null : source.quotaMinutes,
            guacamole,
          },
        },
      )
    : null
  const { timeZone } = await windowOf(tx, row.training_id)
  await tx
    .updateTable('imported_lab')
    .set({
      order_id: order,
      class_at: instantOf(readyBy.date, readyBy.time, timeZone),
      moved_at: sql<Date>`portal_now()`,
      moved_by: actor.email,
      template_id: template.id,
      link_id: link,
    })
    .where('id', '=', row.id)
    .execute()
  return { machines: emails.length, training: trainingName }
}

const LINK_NAME = 'From Azure Lab Services'

/** Makes the lab's owners instructors, except admins, because admins already lead every class. */
async function addOwners(
  tx: Tx,
  actor: Actor,
  training: { readonly id: TrainingId; readonly name: string; readonly organisationId: OrganisationId },
  emails: readonly string[],
  { jobs }: OrderDependencies,
): Promise<void> {
  const { rows: others } = await selectEmailsOfOtherRoles(tx, [...emails])
  const leading = new Set(others.map(({ email }) => email))
  for (const email of emails) {
    if (!leading.has(email)) await addInstructor(tx, jobs, { actor, email, training })
  }
}

async function emailsWithMachine(tx: Tx, training: string): Promise<ReadonlySet<string>> {
  const { rows } = await selectEmailsWithMachine(tx, training)
  return new Set(rows.map(({ email }) => email))
}

/**
 * Removes everything that the import created and no user has used: machines that never ran, users who never signed
 * in, planned schedules, and the training if it is then empty. Returns a sentence for each item that remains.
 */
export async function rollBack(tx: Tx, actor: Actor, lab: string): Promise<{ title: string; stays: string[] }> {
  const { row, source, trainingName } = await lockedState(tx, actor, lab)
  const applied = row.applied as Applied | null
  if (applied === null || row.training_id === null) throw conflict(`${source.title} is not imported.`)
  const remaining: string[] = []
  // Schedules are removed before machines, because a schedule that runs locks the rows in this order.
  for (const schedule of Object.values(applied.schedules)) await cancel(tx, schedule)
  if (row.order_id !== null) {
    await removeReadyBy(tx, row.order_id)
    const { rows: machines } = await selectMachinesOfOrder(tx, row.order_id)
    const unused = machines.filter(({ used }) => !used)
    const locked = await lockMachines(
      tx,
      unused.map(({ id }) => id),
    )
    await setDesiredPower(
      tx,
      locked.map(({ id }) => id),
      'gone',
    )
    for (const { name, email, used } of machines) if (used) remaining.push(`The machine ${name} of ${email} was used.`)
    await removeUnusedAccounts(
      tx,
      row.organisation_id,
      row.moved_at!,
      unused.map(({ email }) => email),
    )
  }
  if (row.moved_at !== null) {
    await endInstructors(
      tx,
      sql<boolean>`training_id = ${row.training_id} and added_at >= ${row.moved_at}
        and user_id in (select id from portal_user where email = any(${[...source.owners]}::text[]))`,
    )
    await removeUnusedAccounts(tx, row.organisation_id, row.moved_at, source.owners)
  }
  await tx
    .updateTable('imported_lab')
    .set({
      training_id: null,
      applied: null,
      applied_at: null,
      order_id: null,
      class_at: null,
      moved_at: null,
      moved_by: null,
      link_id: null,
    })
    .where('id', '=', row.id)
    .execute()
  if (row.link_id !== null && !(await removeLink(tx, actor, row.link_id)))
    remaining.push('The registration link was used. It is revoked.')
  const { rows: left } = await selectAnyMachine(tx, row.training_id)
  if (applied.madeTraining && left.length === 0) {
    await markRemoved(tx, { id: row.training_id, organisation: row.organisation_id })
  } else {
    if (left.length > 0) remaining.push(`The training ${trainingName} has machines.`)
    await restoreIdleStop(tx, applied.idleBefore, row.training_id, applied.idleStopMinutes)
    await classChanged(tx, row.training_id)
  }
  return { title: source.title, stays: remaining }
}

/** Deletes a link, or revokes it if learners registered with it. Returns false if the link was used. */
async function removeLink(tx: Tx, actor: Actor, id: RegistrationLinkId): Promise<boolean> {
  const { rows } = await deleteUnusedLink(tx, id)
  if (rows.length > 0) return true
  await revokeLink(tx, actor.email, id)
  return false
}

/**
 * Deletes users of the organisation that the cut-over created, if they never signed in and have no other machine.
 */
async function removeUnusedAccounts(
  tx: Tx,
  organisation: OrganisationId,
  since: Date,
  emails: readonly string[],
): Promise<void> {
  await deleteUnusedAccounts(tx, [...emails], organisation, since)
}
