import type { machineEvents } from '../../contract/machine-event.ts'
import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import { newName } from '@trainyard/platform/contract/shapes.ts'
import type { machine } from '../../contract/machine.ts'
import type { OrderId, OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { TemplateRow } from '@trainyard/templates/tables.gen.ts'
import type { TrainingRow } from '@trainyard/trainings/tables.gen.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { lockPrices } from '@trainyard/usage/server/prices.ts'
import { requireMayStart, requireMayOrder } from '../may-start.ts'
import { lockOrganisation, organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { foreignOwner } from '@trainyard/templates/server/captured-image.ts'
import { trainingInScope } from '@trainyard/trainings/server/scope.ts'
import { ensureLearners } from '@trainyard/users/server/invite-users.ts'
import { preflight } from './preflight.ts'
import { addMachines } from './add-machines.ts'
import { assignSpares, readyMachines } from './spares.ts'
import { ask, hook } from '@trainyard/platform/server/core/events.ts'
import { publish } from '@trainyard/users/server/notices.ts'
import { insertTraining, restoreTraining } from '@trainyard/trainings/server/existence.ts'

type OrderBody = BodyOf<typeof machine.order>

export interface OrderDependencies {
  readonly seal: Seal
  readonly jobs: JobQueue
  /** False if all learners are users, so that no invitation is sent. Default: true. */
  readonly invites?: boolean
}

export interface OrderResult {
  readonly order: OrderId
  readonly template: TemplateRow
  /** Number of machines that did not exist before. */
  readonly created: number
  /** Time at which the machines must be ready, or null if they are created now. */
  readonly planned: { readonly inMinutes: number; readonly earlier: number } | null
}

interface OrderToPlan {
  readonly actor: Actor
  readonly training: TrainingId
  readonly organisation: OrganisationId
  readonly order: OrderId
  readonly moment: { readonly date: string; readonly time: string }
}

interface OrderPlan {
  /** Minutes that the machines need. */
  readonly minutes: number
  readonly readyAt: Date
  readonly now: Date
}

/** Plans to create the machines of an order in time for a moment; null if no module does. */
export const planOrder = hook<OrderToPlan, OrderPlan | null, Tx>(
  'machines.planOrder',
  null,
  (first, second) => first ?? second,
)

export async function orderMachines(
  tx: Tx,
  actor: Actor,
  body: OrderBody,
  { seal, jobs, invites = true }: OrderDependencies,
): Promise<OrderResult> {
  const { readyBy } = body
  const emails = [...new Set(body.email)]
  const names = new Map(body.names?.map(({ email, name }) => [email, name]))
  if (body.createVmCount !== emails.length) {
    throw new Problem('invalid', `createVmCount must be ${emails.length}, the number of distinct e-mails.`)
  }
  const unordered = [...names.keys()].find((email) => !emails.includes(email))
  if (unordered !== undefined) throw new Problem('invalid', `names has ${unordered}, which email does not have.`)
  const organisation = await organisationOf(tx, actor, body)
  await requireMayOrder(tx, actor, organisation)
  await lockPrices(tx, organisation, 'use')
  const template = await orderableTemplate(tx, organisation, body.templateName)
  if (invites) await ensureLearners(tx, jobs, organisation, emails, names)
  const training = await ensureTraining(tx, organisation, body.trainingName)
  await requireMayStart(tx, actor, [training.id])
  const { guacamole } = body
  const ready =
    readyBy === undefined
      ? await ask(tx, readyMachines, { training: training.id, template: template.id, guacamole, count: emails.length })
      : []
  const toCreate = emails.slice(ready.length)
  if (toCreate.length > 0) await preflight(tx, template, toCreate.length)
  const order = await tx
    .insertInto('machine_order')
    .values({
      organisation_id: organisation,
      training_id: training.id,
      template_name: template.name,
      ordered_by: actor.email,
      machine_count: emails.length,
      allotted_minutes: body.allocatedHours,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await publish<typeof machineEvents>(tx, [
    {
      organisation,
      type: 'order.created',
      resource: `order:${order.id}`,
      training: training.id,
      data: {
        order: { id: order.id },
        template: template.name,
        machines: emails.length,
        orderedBy: actor.email,
      },
    },
  ])

  await assignSpares(tx, {
    order: order.id,
    machines: ready,
    emails: emails.slice(0, ready.length),
    allottedMinutes: body.allocatedHours,
  })
  await addMachines(tx, seal, {
    organisation,
    training,
    order: order.id,
    template,
    guacamole: body.guacamole,
    allottedMinutes: body.allocatedHours,
    plannedFor: readyBy === undefined ? null : plannedFor(readyBy),
    emails: toCreate,
  })
  if (readyBy === undefined) return { order: order.id, template, created: toCreate.length, planned: null }
  const plan = await ask(tx, planOrder, {
    actor,
    training: training.id,
    organisation,
    order: order.id,
    moment: readyBy,
  })
  if (plan === null) throw new Problem('invalid', 'This portal creates machines only at once, without readyBy.')
  const { minutes, readyAt, now } = plan
  return {
    order: order.id,
    template,
    created: toCreate.length,
    planned: { inMinutes: Math.ceil((readyAt.getTime() - now.getTime()) / 60_000), earlier: minutes },
  }
}

const shortDate = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

const plannedFor = ({ date, time }: NonNullable<OrderBody['readyBy']>): string =>
  `Ready ${shortDate.format(new Date(`${date}T00:00Z`)).replace(',', '')} ${time}`

async function organisationOf(tx: Tx, actor: Actor, body: OrderBody): Promise<OrganisationId> {
  let id: OrganisationId
  if (actor.role === 'superadmin' && body.organization === undefined) {
    id = await organisationOfOnlyTraining(tx, actor, body.trainingName)
  } else {
    id = (await organisationInScope(tx, actor, body.organization)).id
  }
  // The organisation is locked until the commit, so that it cannot be removed concurrently.
  await lockOrganisation(tx, id, 'use')
  return id
}

async function organisationOfOnlyTraining(tx: Tx, actor: Actor, trainingName: string): Promise<OrganisationId> {
  try {
    return (await trainingInScope(tx, actor, { trainingName })).organisationId
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.code !== 'notFound') throw problem
    throw new Problem('invalid', 'organization is required for a new training.')
  }
}

/** @throws Problem notFound if the organisation cannot order the template */
export async function orderableTemplate(tx: Tx, organisation: OrganisationId, name: string): Promise<TemplateRow> {
  const template = await tx
    .selectFrom('template')
    .innerJoin('template_assignment', 'template_assignment.template_id', 'template.id')
    .selectAll('template')
    .where('template.name', '=', name)
    .where('template_assignment.organisation_id', '=', organisation)
    .forShare('template')
    .executeTakeFirst()
  if (template === undefined || (await foreignOwner(tx, template, organisation)) !== null) throw notFound('template')
  return template
}

async function ensureTraining(
  tx: Tx,
  organisation: OrganisationId,
  name: string,
): Promise<Pick<TrainingRow, 'id' | 'name'>> {
  const training = (await lockTraining(tx, organisation, name)) ?? (await addTraining(tx, organisation, name))
  // An order under the name of a removed training restores this training.
  await restoreTraining(tx, { id: training.id, organisation })
  return training
}

async function lockTraining(
  tx: Tx,
  organisation: OrganisationId,
  name: string,
): Promise<Pick<TrainingRow, 'id' | 'name'> | undefined> {
  return tx
    .selectFrom('training')
    .select(['id', 'name'])
    .where('organisation_id', '=', organisation)
    .where('name', '=', name)
    .forKeyShare()
    .executeTakeFirst()
}

/**
 * Adds a training. The name is validated here instead of in the contract, because existing trainings may have any name.
 * @throws Problem malformed if the name is not allowed for a new training
 * @throws Problem conflict if the name looks the same as the name of another training, because the new training would
 * have a separate budget
 */
async function addTraining(
  tx: Tx,
  organisation: OrganisationId,
  entered: string,
): Promise<Pick<TrainingRow, 'id' | 'name'>> {
  const parsed = newName.safeParse(entered)
  if (!parsed.success) throw new Problem('malformed', `trainingName ${parsed.error.issues[0]!.message}.`)
  const name = parsed.data
  await insertTraining(tx, organisation, name)
  const training = await lockTraining(tx, organisation, name)
  if (training !== undefined) return training
  const other = await tx
    .selectFrom('training')
    .select('name')
    .where('organisation_id', '=', organisation)
    .where(sql`comparison_key(name)`, '=', sql`comparison_key(${name})`)
    .executeTakeFirstOrThrow()
  throw conflict(`There is already a training named ${other.name}. Use exactly this name, or choose another.`)
}
