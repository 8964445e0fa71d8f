import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/contract/call.ts'
import type { sandboxUser } from '@trainyard/contract/calls/sandbox.ts'
import { isEmail, normaliseEmail } from '@trainyard/contract/words/email.ts'
import type { SandboxUserId } from '@trainyard/contract/words/ids.ts'
import { SANDBOX_CREDIT_RUPEES } from '@trainyard/contract/words/limits.ts'
import { paise } from '@trainyard/contract/words/money.ts'
import type { Tx } from '../../../db/schema.ts'
import { conflict, Problem } from '../../../http/problem.ts'
import type { Jobs } from '../../../jobs.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { makePassword } from '../../order/credentials.ts'
import { addInvitation } from '../../user/invite.ts'
import { AZURE_USER_DUE, nudge } from './wake.ts'

export interface LabUserParts {
  readonly seal: Seal
  readonly jobs: Jobs
  /** The domain of the directory that lab users sign in with; null where none was set. */
  readonly labDomain: string | null
}

/** What a new lab user may use. */
export const CREDITS = paise(SANDBOX_CREDIT_RUPEES * 100)

/**
 * Writes a lab user down as wanted: an account here (role sandboxuser), an invitation to it by mail to the personal
 * address, and what the provider will be asked for.
 * @throws Problem conflict: the name is taken
 */
export async function createLabUser(
  tx: Tx,
  asked: BodyOf<typeof sandboxUser.create>,
  { seal, jobs, labDomain }: LabUserParts,
): Promise<void> {
  const email = emailOf(asked.username, labDomain)
  const account = await tx
    .insertInto('portal_user')
    .values({ email, role: 'sandboxuser', organisation_id: null, password_hash: null })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (account === undefined) throw conflict(`There is already a user ${email}.`)
  const id = randomUUID() as SandboxUserId
  const made = await tx
    .insertInto('azure_user')
    .values({
      id,
      email,
      personal_email: asked.personalEmail,
      account_id: account.id,
      days: asked.duration,
      end_at: sql<Date>`portal_now() + make_interval(days => ${asked.duration})`,
      first_password: seal.seal(makePassword(), id),
      total_paise: CREDITS,
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made === undefined) throw conflict(`The user ${email} is still being ended. Please try again in a few minutes.`)
  const invitation = await addInvitation(tx, account.id)
  await jobs.put(tx, 'azureUser.invite', [{ user: id, invitation }])
  await nudge(tx, AZURE_USER_DUE)
}

function emailOf(username: string, labDomain: string | null): string {
  if (labDomain === null) {
    throw conflict('Set AZURE_LAB_DOMAIN first: the domain of the directory that lab users sign in with.')
  }
  const email = normaliseEmail(`${username}@${labDomain}`)
  if (!isEmail(email)) throw new Problem('broken', `username must make an e-mail address of ${email}.`)
  return email
}
