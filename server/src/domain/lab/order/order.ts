import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/contract/call.ts'
import type { machine } from '@trainyard/contract/calls/machine.ts'
import type { MachineId, OrganisationId } from '@trainyard/contract/words/ids.ts'
import { BROWSER_ACCESS_SURCHARGE, paise } from '@trainyard/contract/words/money.ts'
import { notifyWorkers } from '../../../db/listen.ts'
import type { Tx } from '../../../db/schema.ts'
import type { TemplateRow } from '../../../db/schema/template.ts'
import type { TrainingRow } from '../../../db/schema/training.ts'
import type { Actor } from '../../../core/actor.ts'
import { notFound, Problem } from '../../../core/errors.ts'
import type { Jobs } from '../../../jobs/jobs.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { ADMIN_USERNAME, bringsItsPassword, makePassword } from '../machine/credentials.ts'
import { judgeSoon } from '../../money/budget/judge.ts'
import { refuseLeashed, refuseLeashedOrganisation } from '../../money/budget/leash.ts'
import { coverWithSecurityGroups } from '../machine/security-groups.ts'
import { MACHINE_DUE } from '../machine/wake.ts'
import { holdOrganisation, organisationInScope } from '../../people/organisation/scope.ts'
import { ownerElsewhere } from '../template/captured-image.ts'
import { trainingInScope } from '../training/scope.ts'
import { ensureLearners } from '../../people/user/invite.ts'
import { planReadyBy } from '../ready/plan.ts'
import { machineName } from './names.ts'
import { preflight } from './preflight.ts'

type OrderBody = BodyOf<typeof machine.order>

export interface OrderParts {
  readonly seal: Seal
  readonly jobs: Jobs
}

export interface Ordered {
  readonly template: TemplateRow
  /** Whole minutes until its machines are to be ready, and those before it at which they are created; null: at once. */
  readonly planned: { readonly inMinutes: number; readonly earlier: number } | null
}

/** Orders a machine of a template for each learner. All of it happens, or nothing. */
export async function orderMachines(
  tx: Tx,
  actor: Actor,
  body: OrderBody,
  { seal, jobs }: OrderParts,
): Promise<Ordered> {
  const { readyBy } = body
  const emails = [...new Set(body.email)]
  if (body.createVmCount !== emails.length) {
    throw new Problem('invalid', `createVmCount must be ${emails.length}, the number of distinct e-mails.`)
  }
  const organisation = await organisationOf(tx, actor, body)
  await refuseLeashedOrganisation(tx, organisation)
  const template = await assignedTemplate(tx, organisation, body.templateName)
  if ((await ownerElsewhere(tx, template, organisation)) !== null) throw notFound('template')
  await preflight(tx, template, emails.length)
  await ensureLearners(tx, jobs, organisation, emails)
  const training = await trainingNamed(tx, organisation, body.trainingName)
  await refuseLeashed(tx, [training.id])
  const order = await tx
    .insertInto('machine_order')
    .values({
      organisation_id: organisation,
      training_id: training.id,
      template_name: template.name,
      ordered_by: actor.email,
      machine_count: emails.length,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

  const numbers = await takeNumbers(tx, emails.length)
  const machines = emails.map((email, i) => {
    const id = randomUUID() as MachineId
    const number = numbers[i]!
    return { id, number, name: machineName(training.name, number), email, password: seal.seal(makePassword(), id) }
  })
  const price = paise(template.rate_paise + (body.guacamole ? BROWSER_ACCESS_SURCHARGE : 0))
  // Rows as columns: one statement of a fixed shape, however many machines.
  await sql`
    insert into machine (id, number, name, email, admin_password, organisation_id, training_id, order_id,
      resource_group, location, vnet, vm_size, image_id, os, licence, plan_publisher, plan_product, plan_version,
      admin_username, guacamole, paise_per_hour, allotted_minutes, password_due, desired, create_later, stop_reason)
    overriding system value
    select row.id, row.number, row.name, row.email, row.password, ${organisation}, ${training.id}, ${order.id},
      t.resource_group, t.location, t.vnet, t.vm_size, t.image_id, t.os, t.licence, t.plan_publisher,
      t.plan_product, t.plan_version, ${ADMIN_USERNAME}, ${body.guacamole}, ${price}::bigint,
      ${body.allocatedHours}::integer, ${bringsItsPassword(template)}::boolean,
      ${readyBy === undefined ? 'running' : 'stopped'}, ${readyBy !== undefined}, ${readyBy === undefined ? null : plannedFor(readyBy)}
    from template t, unnest(${machines.map((m) => m.id)}::uuid[], ${numbers}::bigint[],
      ${machines.map((m) => m.name)}::text[], ${emails}::text[], ${machines.map((m) => m.password)}::bytea[])
      as row (id, number, name, email, password)
    where t.id = ${template.id}`.execute(tx)
  await coverWithSecurityGroups(tx, training.id)
  await judgeSoon(tx, { organisation_id: organisation, training_id: training.id })
  await notifyWorkers(tx, MACHINE_DUE)
  if (readyBy === undefined) return { template, planned: null }
  const { minutes, readyAt, now } = await planReadyBy(tx, actor, {
    training: training.id,
    organisation,
    order: order.id,
    moment: readyBy,
  })
  return {
    template,
    planned: { inMinutes: Math.ceil((readyAt.getTime() - now.getTime()) / 60_000), earlier: minutes },
  }
}

const plannedFor = ({ date, time }: NonNullable<OrderBody['readyBy']>): string =>
  `It is created in time to be ready at ${time} on ${date.split('-').toReversed().join('/')}.`

async function organisationOf(tx: Tx, actor: Actor, body: OrderBody): Promise<OrganisationId> {
  let id: OrganisationId
  if (actor.role === 'superadmin' && body.organization === undefined) {
    id = await organisationOfOnlyTraining(tx, actor, body.trainingName)
  } else {
    id = (await organisationInScope(tx, actor, body.organization)).id
  }
  // Held until the order stands: it is not removed meanwhile.
  await holdOrganisation(tx, id, 'use')
  return id
}

/** A superadmin may leave the organisation out where the training's name says whose it is. */
async function organisationOfOnlyTraining(tx: Tx, actor: Actor, trainingName: string): Promise<OrganisationId> {
  try {
    return (await trainingInScope(tx, actor, { trainingName })).organisationId
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.code !== 'notFound') throw problem
    throw new Problem('invalid', 'organization must say whose this new training is.')
  }
}

async function assignedTemplate(tx: Tx, organisation: OrganisationId, name: string): Promise<TemplateRow> {
  const template = await tx
    .selectFrom('template')
    .innerJoin('template_assignment', 'template_assignment.template_id', 'template.id')
    .selectAll('template')
    .where('template.name', '=', name)
    .where('template_assignment.organisation_id', '=', organisation)
    .forShare('template')
    .executeTakeFirst()
  if (template === undefined) throw notFound('template')
  return template
}

async function trainingNamed(
  tx: Tx,
  organisation: OrganisationId,
  name: string,
): Promise<Pick<TrainingRow, 'id' | 'name'>> {
  await tx
    .insertInto('training')
    .values({ organisation_id: organisation, name })
    .onConflict((on) => on.doNothing())
    .execute()
  const training = await tx
    .selectFrom('training')
    .select(['id', 'name'])
    .where('organisation_id', '=', organisation)
    .where('name', '=', name)
    .forKeyShare()
    .executeTakeFirstOrThrow()
  // An order under the name of a removed training takes it up again.
  await tx
    .updateTable('training')
    .set({ removed_at: null })
    .where('id', '=', training.id)
    .where('removed_at', 'is not', null)
    .execute()
  return training
}

async function takeNumbers(tx: Tx, count: number): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select nextval(pg_get_serial_sequence('machine', 'number')) as number from generate_series(1, ${count}::integer)`.execute(
    tx,
  )
  return rows.map(({ number }) => number)
}
