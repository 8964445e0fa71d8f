import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { SandboxUserId } from '@trainyard/contract/words/ids.ts'
import type { TestPortal } from '#test/portal.ts'

/** The AWS lab user that a call can be about. */
export interface AwsLabSubject {
  readonly awsLabUser: string
}

/** A lab user who can sign in at AWS; `word` stands in every text. */
export async function makeAwsLab(portal: TestPortal, email: string, word: string): Promise<AwsLabSubject> {
  const { db, seal } = portal.app
  const account = await db
    .insertInto('portal_user')
    .values({ email, role: 'awssandboxuser', organisation_id: null, password_hash: null })
    .onConflict((on) => on.column('email').doUpdateSet({ role: 'awssandboxuser' }))
    .returning('id')
    .executeTakeFirstOrThrow()
  const id = randomUUID() as SandboxUserId
  await db
    .insertInto('aws_user')
    .values({
      id,
      username: `${word}-user`,
      email,
      personal_email: `${word}@home.test`,
      account_id: account.id,
      aws_account: '100000000001',
      days: 5,
      end_at: sql<Date>`portal_now() + interval '5 days'`,
      first_password: seal.seal(`${word} password`, id),
      create_sent_at: sql<Date>`portal_now()`,
      ready_at: sql<Date>`portal_now()`,
      last_error: `${word} error`,
    })
    .execute()
  return { awsLabUser: email }
}
