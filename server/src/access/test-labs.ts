import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { SandboxUserId } from '@trainyard/contract/words/ids.ts'
import { paise } from '@trainyard/contract/words/money.ts'
import { groupNameOf } from '@trainyard/contract/words/sandbox.ts'
import type { TestPortal } from '#test/portal.ts'

/** The lab user and sandbox that a call can be about. */
export interface LabSubject {
  readonly labUser: string
  /** A sandbox that stands. */
  readonly sandbox: string
  /** A sandbox that the own lab user may ask for. */
  readonly newSandbox: string
}

/** A lab user who can sign in, with a sandbox; `word` stands in every text. */
export async function makeLab(portal: TestPortal, email: string, word: string): Promise<LabSubject> {
  const { db, seal } = portal.app
  const account = await db
    .insertInto('portal_user')
    .values({ email, role: 'sandboxuser', organisation_id: null, password_hash: null })
    .onConflict((on) => on.column('email').doUpdateSet({ role: 'sandboxuser' }))
    .returning('id')
    .executeTakeFirstOrThrow()
  const id = randomUUID() as SandboxUserId
  await db
    .insertInto('azure_user')
    .values({
      id,
      email,
      personal_email: `${word}@home.test`,
      account_id: account.id,
      days: 5,
      end_at: sql<Date>`portal_now() + interval '5 days'`,
      first_password: seal.seal(`${word} password`, id),
      object_id: `${word} object`,
      total_paise: paise(100_000),
      last_error: `${word} error`,
    })
    .execute()
  const sandbox = groupNameOf(id, word.slice(0, 5))
  await db
    .insertInto('sandbox')
    .values({
      group_name: sandbox,
      azure_user_id: id,
      location: 'southindia',
      delete_at: sql<Date>`portal_now() + interval '1 day'`,
      last_error: `${word} error`,
    })
    .execute()
  return { labUser: email, sandbox, newSandbox: groupNameOf(id, 'new') }
}
