import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { SandboxUserId, UserId } from '../contract/words/ids.ts'
import { paise } from '../contract/words/money.ts'
import type { Role } from '../contract/words/role.ts'
import { groupNameOf } from '@trainyard/lab-users/contract/sandbox-words.ts'
import type { Db } from '../server/db/schema.ts'
import { accessPassContext } from '@trainyard/sandbox-azure/server/encryption-context.ts'
import type { TestPortal } from './portal.ts'

/** The lab users and the sandbox that an access test's call concerns. */
export interface LabSubject {
  readonly labUser: string
  readonly sandbox: string
  /** Name of a sandbox that the own lab user may request. */
  readonly newSandbox: string
}
export interface AwsLabSubject {
  readonly awsLabUser: string
}

/** Inserts an Azure lab user with a sandbox; `label` is part of every text. */
export async function makeLab(portal: TestPortal, email: string, label: string): Promise<LabSubject> {
  const { db, seal } = portal.app
  const account_id = await accountOf(db, email, 'sandboxuser')
  const id = randomUUID() as SandboxUserId
  await db
    .insertInto('azure_user')
    .values({
      id,
      email,
      personal_email: `${label}@home.test`,
      account_id,
      days: 5,
      end_at: sql<Date>`portal_now() + interval '5 days'`,
      first_password: seal.seal(`${label} password`, id),
      object_id: `${label} object`,
      access_pass: seal.seal(`${label} pass`, accessPassContext(id)),
      access_pass_ends_at: sql<Date>`portal_now() + interval '1 hour'`,
      total_paise: paise(100_000),
      last_error: `${label} error`,
    })
    .execute()
  const sandbox = groupNameOf(id, label.slice(0, 5))
  await db
    .insertInto('sandbox')
    .values({
      group_name: sandbox,
      azure_user_id: id,
      location: 'southindia',
      delete_at: sql<Date>`portal_now() + interval '1 day'`,
      last_error: `${label} error`,
    })
    .execute()
  return { labUser: email, sandbox, newSandbox: groupNameOf(id, 'new') }
}

/** Inserts an AWS lab user; `label` is part of every text. */
export async function makeAwsLab(portal: TestPortal, email: string, label: string): Promise<AwsLabSubject> {
  const { db, seal } = portal.app
  const account_id = await accountOf(db, email, 'awssandboxuser')
  const id = randomUUID() as SandboxUserId
  await db
    .insertInto('aws_user')
    .values({
      id,
      username: `${label}-user`,
      email,
      personal_email: `${label}@home.test`,
      account_id,
      aws_account: '100000000001',
      days: 5,
      end_at: sql<Date>`portal_now() + interval '5 days'`,
      first_password: seal.seal(`${label} password`, id),
      create_sent_at: sql<Date>`portal_now()`,
      ready_at: sql<Date>`portal_now()`,
      last_error: `${label} error`,
    })
    .execute()
  return { awsLabUser: email }
}

async function accountOf(db: Db, email: string, role: Role): Promise<UserId> {
  const { id } = await db
    .insertInto('portal_user')
    .values({ email, role, organisation_id: null, password_hash: null })
    .onConflict((on) => on.column('email').doUpdateSet({ role }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
