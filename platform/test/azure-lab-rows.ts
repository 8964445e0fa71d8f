import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { SandboxId, SandboxUserId } from '../contract/words/ids.ts'
import { paise } from '../contract/words/money.ts'
import type { AzureUserRow, SandboxRow } from '@trainyard/lab-users/tables.gen.ts'
import type { App } from '@trainyard/server/build-app.ts'
import type { Columns } from '../server/run/reconcile/outcome.ts'

let count = 0

/** Inserts a lab user with a portal user, as an order does; `columns` override the defaults. */
export async function addUser({ db, seal }: App, columns: Columns<AzureUserRow> = {}): Promise<SandboxUserId> {
  const id = randomUUID() as SandboxUserId
  const email = `user${++count}@labs.test`
  const { id: account_id } = await db
    .insertInto('portal_user')
    .values({ email, role: 'sandboxuser', organisation_id: null, password_hash: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('azure_user')
    .values({
      id,
      email,
      personal_email: `home${count}@home.test`,
      account_id,
      days: 5,
      end_at: sql<Date>`portal_now() + interval '5 days'`,
      first_password: seal.seal('Correct-Horse-7', id),
      object_id: null,
      total_paise: paise(100_000),
      last_error: null,
      ...columns,
    })
    .execute()
  return id
}

/** Inserts a sandbox that was requested but not created yet; `columns` override the defaults. */
export async function addSandbox(
  { db }: App,
  azure_user_id: SandboxUserId,
  columns: Columns<SandboxRow> = {},
): Promise<SandboxId> {
  const { id } = await db
    .insertInto('sandbox')
    .values({
      group_name: `${azure_user_id.slice(0, 8)}-${++count}-sandbox`,
      azure_user_id,
      location: 'southindia',
      delete_at: sql<Date>`portal_now() + interval '1 day'`,
      last_error: null,
      ...columns,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
