import type { OrganisationId, TemplateId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'
import { demoDataAdded } from '@trainyard/organisations/server/demo-data.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import { hashPassword } from '@trainyard/users/server/passwords.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { addAwsLabs } from './aws-labs.ts'
import { addIdentityProvider } from './sign-in.ts'
import { addAzureLabs } from './azure-labs.ts'
import { DEMO_TEMPLATES, type TemplateName } from './templates.ts'
import { hasUsers } from './has-users.ts'
import { addPastTraining, orderPresentTraining, pastMachinesOf } from './machines.ts'
import type { RecordHistory } from './emulator-history.ts'
import { DEMO_PASSWORD, type DemoOrganisation, ORGANISATIONS, USERS_WITHOUT_ORGANISATION } from './organisations.ts'
import { addTimetable } from './timetable.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'
import type { DemoLine } from './ledger-lines.ts'
import { DAY } from './past-days.ts'
import { lockUsersTable } from './queries.ts'

export async function createDemoData(
  db: Db,
  seal: Seal,
  recordPast: RecordHistory,
  emulatorUrl: string,
): Promise<boolean> {
  if (await hasUsers(db)) return false
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  const now = await portalNow(db)
  // This call is outside the transaction and can be repeated. If the process crashes afterwards, the next start
  // replaces the history.
  await recordPast(
    ORGANISATIONS.flatMap((each) => each.past.flatMap((training) => pastMachinesOf(each, training, now))),
  )
  return db.transaction().execute(async (tx) => {
    // If another process starts for the first time concurrently, it waits for the lock and then finds the users.
    await lockUsersTable(tx)
    if (await hasUsers(tx)) return false
    const templates = await addTemplates(tx)
    for (const organisation of ORGANISATIONS) {
      const id = await addOrganisation(tx, organisation, templates, passwordHash)
      await addIdentityProvider(tx, seal, id, organisation, emulatorUrl)
      for (const training of organisation.past) await addPastTraining(tx, { id, ...organisation }, training, now)
      await addLedger(tx, id, organisation.ledger, now)
      for (const training of organisation.currentTrainings) {
        await orderPresentTraining(tx, seal, { id, ...organisation }, training)
        const { name, timetable } = training
        if (timetable !== undefined) await addTimetable(tx, { id, ...organisation }, name, timetable, now)
      }
      if (organisation === ORGANISATIONS[0]) await emit(tx, demoDataAdded, [{ organisation: id, seal, emulatorUrl }])
    }
    await addUsers(
      tx,
      USERS_WITHOUT_ORGANISATION.map((other) => ({ ...other, organisation_id: null })),
      passwordHash,
    )
    await addAzureLabs(tx, seal, passwordHash, now)
    await addAwsLabs(tx, seal, passwordHash, now)
    return true
  })
}

type Templates = ReadonlyMap<string, TemplateId>

async function addTemplates(tx: Tx): Promise<Templates> {
  const rows = await tx
    .insertInto('template')
    .values([...DEMO_TEMPLATES])
    .returning(['id', 'name'])
    .execute()
  return new Map(rows.map(({ id, name }) => [name, id]))
}

async function addOrganisation(
  tx: Tx,
  { name, admin, learners, templates, gst, creditLimit, signInDomain }: DemoOrganisation,
  ids: Templates,
  passwordHash: string,
): Promise<OrganisationId> {
  const { id } = await tx
    .insertInto('organisation')
    .values({ name, logo: null, gst, credit_limit_paise: creditLimit })
    .returning('id')
    .executeTakeFirstOrThrow()
  const users = [
    { email: admin, role: 'admin' as const, organisation_id: id },
    ...learners.map((email) => ({ email, role: 'user' as const, organisation_id: id })),
  ]
  await addUsers(tx, users, signInDomain === undefined ? passwordHash : null)
  await tx
    .insertInto('template_assignment')
    .values(templates.map((template: TemplateName) => ({ organisation_id: id, template_id: ids.get(template)! })))
    .execute()
  return id
}

async function addUsers(
  tx: Tx,
  users: readonly {
    email: string
    role: (typeof USERS_WITHOUT_ORGANISATION)[number]['role']
    organisation_id: OrganisationId | null
  }[],
  password_hash: string | null,
): Promise<void> {
  await tx
    .insertInto('portal_user')
    .values(users.map((user) => ({ ...user, password_hash })))
    .execute()
}

async function addLedger(tx: Tx, organisation: OrganisationId, lines: readonly DemoLine[], now: Date): Promise<void> {
  const by = USERS_WITHOUT_ORGANISATION.find(({ role }) => role === 'superadmin')!.email
  for (const { daysAgo, kind, reference, particular, amount } of lines) {
    const date = new Date(now.getTime() - daysAgo * DAY)
    await addEntry(tx, { organisation, kind, reference, particular, amount, date, source: 'manual', by })
  }
}
