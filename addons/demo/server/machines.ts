import { randomUUID } from 'node:crypto'
import { minutesOfHours } from '@trainyard/platform/contract/words/duration.ts'
import type { MachineId, OrderId, OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { BROWSER_ACCESS_SURCHARGE, paise } from '@trainyard/platform/contract/words/money.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { orderMachines } from '@trainyard/machines/server/order/order.ts'
import { ADMIN_USERNAME } from '@trainyard/machines/server/credentials.ts'
import { updateRunTotals } from '@trainyard/usage/server/queries.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import type { Cards } from './templates.ts'
import { DAY, runsOfAMonth } from './past-days.ts'
import type { PastMachine } from './emulator-history.ts'
import type { DemoTraining } from './organisations.ts'

export interface Customer {
  readonly id: OrganisationId
  readonly name: string
  readonly admin: string
}

export async function addPastTraining(
  tx: Tx,
  cards: Cards,
  customer: Customer,
  training: DemoTraining,
  now: Date,
): Promise<void> {
  const { created_at, terminated_at } = lifetimeOfPast(now)
  const place = await addOrder(tx, cards, customer, training, created_at)
  const machines = training.learners.map((email, index) => ({
    id: randomUUID() as MachineId,
    name: nameOfPast(customer, training, index),
    email,
    ordered_for: email,
    ...place,
    ...copiedFrom(cards, training),
    created_at,
    admin_password: null,
    desired: 'gone' as const,
    observed: 'absent' as const,
    observed_at: terminated_at,
    first_seen_at: created_at,
    terminated_at,
    reconcile_at: null,
  }))
  await tx.insertInto('machine').values(machines).execute()
  const runs = machines.flatMap(({ id, email, paise_per_hour }) =>
    runsOfAMonth(now, `${training.name} ${email}`).map(({ started, stopped }) => ({
      machine_id: id,
      organisation_id: customer.id,
      started_at: started,
      stopped_at: stopped,
      paise_per_hour,
    })),
  )
  await tx.insertInto('run').values(runs).execute()
  await updateRunTotals(
    tx,
    machines.map(({ id }) => id),
  )
}

export function pastMachinesOf(
  cards: Cards,
  customer: Pick<Customer, 'name'>,
  training: DemoTraining,
  now: Date,
): PastMachine[] {
  const { created_at, terminated_at } = lifetimeOfPast(now)
  const { provider, place, size, os } = copiedFrom(cards, training)
  // Only the emulator has records of the past.
  if (provider !== 'azure') return []
  return training.learners.map((email, index) => ({
    name: nameOfPast(customer, training, index),
    place,
    size,
    os,
    createdAt: created_at,
    deletedAt: terminated_at,
    billed: runsOfAMonth(now, `${training.name} ${email}`).map(({ started, stopped }) => ({
      from: started,
      to: stopped,
    })),
  }))
}

const lifetimeOfPast = (now: Date) => ({
  created_at: wholeSecond(now.getTime() - 32 * DAY),
  terminated_at: wholeSecond(now.getTime() - DAY),
})

export async function orderPresentTraining(
  tx: Tx,
  seal: Seal,
  cards: Cards,
  customer: Customer,
  training: DemoTraining,
): Promise<void> {
  const found = await findSignInUser(tx, { email: customer.admin })
  await orderMachines(
    tx,
    found!.actor,
    {
      templateName: cards.get(training.template)!.name,
      email: [...training.learners],
      trainingName: training.name,
      allocatedHours: 40 * 60,
      createVmCount: training.learners.length,
      guacamole: training.guacamole,
    },
    { seal, jobs: NO_EMAILS },
  )
}

/** All learners are demo users already, so no invitations are sent. */
const NO_EMAILS: JobQueue = { enqueue: async () => {} }

async function addOrder(
  tx: Tx,
  cards: Cards,
  customer: Customer,
  training: DemoTraining,
  created_at: Date,
): Promise<{ organisation_id: OrganisationId; training_id: TrainingId; order_id: OrderId }> {
  const organisation_id = customer.id
  const { id: training_id } = await tx
    .insertInto('training')
    .values({ organisation_id, name: training.name, created_at })
    .onConflict((on) => on.columns(['organisation_id', 'name']).doUpdateSet({ name: training.name }))
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: order_id } = await tx
    .insertInto('machine_order')
    .values({
      organisation_id,
      training_id,
      template_name: cards.get(training.template)!.name,
      ordered_by: customer.admin,
      machine_count: training.learners.length,
      allotted_minutes: minutesOfHours(80),
      created_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { organisation_id, training_id, order_id }
}

function copiedFrom(cards: Cards, { template: name, guacamole }: DemoTraining) {
  const { rate_paise, provider, place, size, image, os, licence } = cards.get(name)!
  return {
    provider,
    place,
    size,
    image,
    os,
    licence,
    admin_username: ADMIN_USERNAME,
    guacamole,
    paise_per_hour: paise(rate_paise + (guacamole ? BROWSER_ACCESS_SURCHARGE : 0)),
    allotted_minutes: minutesOfHours(80),
  }
}

const nameOfPast = (customer: Pick<Customer, 'name'>, training: DemoTraining, index: number): string =>
  `${customer.name.split(' ', 1)[0]}-${training.name.split(' ', 1)[0]}-${index + 1}`.toLowerCase()

const wholeSecond = (instant: number): Date => new Date(Math.floor(instant / 1000) * 1000)
