import { randomUUID } from 'node:crypto'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import type { SandboxUserId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import { isEmail, normaliseEmail } from '@trainyard/platform/contract/words/email.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { makePassword } from '@trainyard/machines/server/credentials.ts'

export interface LabUserDependencies {
  readonly seal: Seal
  readonly jobs: JobQueue
  /** Domain of lab users' sign-in names; null: not configured. */
  readonly labDomain: string | null
}

/**
 * Returns the sign-in name.
 * @throws Problem conflict with the setting to configure if there is no domain; invalid if the name is no e-mail
 * address
 */
function signInName(username: string, labDomain: string | null, missingDomain: string): string {
  if (labDomain === null) throw conflict(missingDomain)
  const email = normaliseEmail(`${username}@${labDomain}`)
  if (!isEmail(email)) throw new Problem('invalid', `username must give a valid e-mail address: ${email} is not.`)
  return email
}

type LabRole = Extract<Role, 'sandboxuser' | 'awssandboxuser'>

interface NewLabUser {
  readonly username: string
  readonly personalEmail: string
  readonly duration: number
}

/**
 * Adds a lab user.
 * @param missingDomain message if no domain for sign-in names is configured
 * @throws Problem conflict if the name is taken
 */
export async function addLabUser(
  tx: Tx,
  { username, personalEmail, duration }: NewLabUser,
  {
    role,
    seal,
    labDomain,
    missingDomain,
  }: Omit<LabUserDependencies, 'jobs'> & { readonly role: LabRole; readonly missingDomain: string },
) {
  const email = signInName(username, labDomain, missingDomain)
  const id = randomUUID() as SandboxUserId
  return {
    id,
    email,
    personal_email: personalEmail,
    account_id: await addLabAccount(tx, email, role),
    days: duration,
    first_password: seal.seal(makePassword(), id),
  }
}

async function addLabAccount(tx: Tx, email: string, role: LabRole): Promise<UserId> {
  const account = await tx
    .insertInto('portal_user')
    .values({ email, role, organisation_id: null, password_hash: null })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (account === undefined) throw conflict(`There is already a user ${email}.`)
  return account.id
}

/**
 * Returns the refusal for a user whose account in the portal is deleted, but whose resources at the provider are not
 * yet.
 */
export const stillBeingEnded = (email: string): Problem =>
  conflict(`The user ${email} is still being deleted. Please try again in a few minutes.`)
