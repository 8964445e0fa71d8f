import { DEMO_CLASS, demoLearner } from '../contract/demo-class.ts'
import { NO_MAILBOX } from '@trainyard/platform/contract/words/email.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { removeTraining } from '@trainyard/machines/server/remove-training.ts'
import { orderMachines } from '@trainyard/machines/server/order/order.ts'
import { lockOrganisation, organisationInScope } from '@trainyard/organisations/server/scope.ts'

interface FirstStepsDependencies {
  readonly seal: Seal
  readonly jobs: JobQueue
  /** True if the portal creates its machines in the emulator. */
  readonly emulated: boolean
}

export const firstStepsHandlers = ({ seal, jobs, emulated }: FirstStepsDependencies): HandlersOf<'firstSteps'> => ({
  async createDemoClass(tx, { actor, body }) {
    const organisation = await organisationInScope(tx, actor, body.organization)
    if (!emulated) throw conflict('Demo classes use emulated machines. This portal creates real machines at Azure.')
    // Serialises concurrent calls, so that the second one finds the class of the first.
    await lockOrganisation(tx, organisation.id, 'change')
    if (await hasTraining(tx, organisation.id)) {
      throw conflict(`${organisation.name} already has a training named ${DEMO_CLASS.training}. Delete it first.`)
    }
    const learners = demoLearners(organisation.id)
    await orderMachines(
      tx,
      actor,
      {
        organization: organisation.name,
        trainingName: DEMO_CLASS.training,
        templateName: await demoTemplate(tx, organisation),
        email: learners,
        names: learners.map((email, i) => ({ email, name: `Demo learner ${i + 1}` })),
        allocatedHours: DEMO_CLASS.allottedMinutes,
        createVmCount: learners.length,
        guacamole: true,
      },
      { seal, jobs },
    )
    return { message: 'The demo class is being created.' }
  },

  async removeDemoClass(tx, { actor, body }) {
    const organisation = await organisationInScope(tx, actor, body.organization)
    await lockOrganisation(tx, organisation.id, 'change')
    const learners = demoLearners(organisation.id)
    const machine = await tx
      .selectFrom('machine')
      .innerJoin('training', 'training.id', 'machine.training_id')
      .select('machine.id')
      .where('training.organisation_id', '=', organisation.id)
      .where('training.name', '=', DEMO_CLASS.training)
      .where('training.removed_at', 'is', null)
      .where('machine.terminated_at', 'is', null)
      .where('machine.email', 'in', learners)
      .limit(1)
      .executeTakeFirst()
    if (machine === undefined) throw conflict(`${organisation.name} has no demo class.`)
    await removeTraining(tx, actor, { organization: organisation.name, trainingName: DEMO_CLASS.training })
    await tx
      .deleteFrom('portal_user')
      .where('organisation_id', '=', organisation.id)
      .where('role', '=', 'user')
      .where('email', 'in', learners)
      .execute()
    return { message: 'The demo class was deleted. Its machines are being removed.' }
  },
})

const demoLearners = (organisation: OrganisationId): string[] =>
  Array.from({ length: DEMO_CLASS.seats }, (_, i) => `${demoLearner(i + 1, organisation)}@${NO_MAILBOX}`)

async function hasTraining(db: Db, organisation: OrganisationId): Promise<boolean> {
  const found = await db
    .selectFrom('training')
    .select('id')
    .where('organisation_id', '=', organisation)
    .where('name', '=', DEMO_CLASS.training)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Returns the name of the cheapest VM card with a terminal that the organisation can order from.
 * @throws Problem conflict if there is none
 */
async function demoTemplate(tx: Tx, { id, name }: { id: OrganisationId; name: string }): Promise<string> {
  const found = await tx
    .selectFrom('template')
    .innerJoin('template_assignment', 'template_assignment.template_id', 'template.id')
    .select('template.name')
    .where('template_assignment.organisation_id', '=', id)
    .where('template.os', '=', 'Linux')
    // Machines in a private network need its gateway.
    .where('template.address_kind', '=', 'public address')
    .orderBy('template.rate_paise')
    .orderBy('template.name')
    .limit(1)
    .executeTakeFirst()
  if (found === undefined) throw conflict(`Assign a VM card with Linux to ${name} first. The demo class uses it.`)
  return found.name
}
