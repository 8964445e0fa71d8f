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
import { type Cards, cardsWith } from './templates.ts'
import { hasUsers } from './has-users.ts'
import { addPastTraining, orderPresentTraining, pastMachinesOf } from './machines.ts'
import type { RecordHistory } from './emulator-history.ts'
import {
  DEMO_PASSWORD,
  type DemoOrganisation,
  type HashOf,
  ORGANISATIONS,
  USERS_WITHOUT_ORGANISATION,
} from './organisations.ts'
import { addTimetable } from './timetable.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'
import type { DemoLine } from './ledger-lines.ts'
import { DAY } from './past-days.ts'
import { lockUsersTable } from './queries.ts'

export interface DemoVariant {
  readonly cards: Cards
  /** Passwords by address; other accounts have none. Null: every account has the published password. */
  readonly passwords: ReadonlyMap<string, string> | null
}

const EMULATED: DemoVariant = { cards: cardsWith(null), passwords: null }

async function hashesOf(passwords: DemoVariant['passwords']): Promise<HashOf> {
  if (passwords === null) {
    const hash = await hashPassword(DEMO_PASSWORD)
    return () => hash
  }
  const hashes = new Map<string, string>()
  for (const [email, password] of passwords) hashes.set(email, await hashPassword(password))
  return (email) => hashes.get(email) ?? null
}

export async function createDemoData(
  db: Db,
  seal: Seal,
  recordPast: RecordHistory,
  emulatorUrl: string,
  { cards, passwords }: DemoVariant = EMULATED,
): Promise<boolean> {
  if (await hasUsers(db)) return false
  const hashOf = await hashesOf(passwords)
  const now = await portalNow(db)
  // This call is outside the transaction and can be repeated. If the process crashes afterwards, the next start
  // replaces the history.
  await recordPast(
    ORGANISATIONS.flatMap((each) => each.past.flatMap((training) => pastMachinesOf(cards, each, training, now))),
  )
  return db.transaction().execute(async (tx) => {
    // If another process starts for the first time concurrently, it waits for the lock and then finds the users.
    await lockUsersTable(tx)
    if (await hasUsers(tx)) return false
    const templates = await addTemplates(tx, cards)
    for (const organisation of ORGANISATIONS) {
      const id = await addOrganisation(tx, organisation, templates, hashOf)
      await addIdentityProvider(tx, seal, id, organisation, emulatorUrl)
      for (const training of organisation.past) await addPastTraining(tx, cards, { id, ...organisation }, training, now)
      await addLedger(tx, id, organisation.ledger, now)
      for (const training of organisation.currentTrainings) {
        await orderPresentTraining(tx, seal, cards, { id, ...organisation }, training)
        const { name, timetable } = training
        if (timetable !== undefined) await addTimetable(tx, { id, ...organisation }, name, timetable, now)
      }
      if (organisation === ORGANISATIONS[0]) await emit(tx, demoDataAdded, [{ organisation: id, seal, emulatorUrl }])
    }
    await addUsers(
      tx,
      USERS_WITHOUT_ORGANISATION.map((other) => ({ ...other, organisation_id: null })),
      hashOf,
    )
    await addAzureLabs(tx, seal, hashOf, now)
    await addAwsLabs(tx, seal, hashOf, now)
    return true
  })
}

type Templates = ReadonlyMap<string, TemplateId>

async function addTemplates(tx: Tx, cards: Cards): Promise<Templates> {
  const rows = await tx
    .insertInto('template')
    .values([...cards.values()])
    .returning(['id', 'name'])
    .execute()
  const ids = new Map(rows.map(({ id, name }) => [name, id]))
  return new Map([...cards].map(([name, card]) => [name, ids.get(card.name)!]))
}

async function addOrganisation(
  tx: Tx,
  { name, admin, learners, templates, gst, creditLimit, signInDomain }: DemoOrganisation,
  ids: Templates,
  hashOf: HashOf,
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
  await addUsers(tx, users, signInDomain === undefined ? hashOf : () => null)
  await tx
    .insertInto('template_assignment')
    .values(templates.map((template) => ({ organisation_id: id, template_id: ids.get(template)! })))
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
  hashOf: HashOf,
): Promise<void> {
  await tx
    .insertInto('portal_user')
    .values(users.map((user) => ({ ...user, password_hash: hashOf(user.email) })))
    .execute()
}

async function addLedger(tx: Tx, organisation: OrganisationId, lines: readonly DemoLine[], now: Date): Promise<void> {
  const by = USERS_WITHOUT_ORGANISATION.find(({ role }) => role === 'superadmin')!.email
  for (const { daysAgo, kind, reference, particular, amount } of lines) {
    const date = new Date(now.getTime() - daysAgo * DAY)
    await addEntry(tx, { organisation, kind, reference, particular, amount, date, source: 'manual', by })
  }
}
