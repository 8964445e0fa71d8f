import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Call } from '@trainyard/contract/call.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import type { Asked } from '../../../core/handler.ts'
import { Problem } from '../../../core/errors.ts'
import { holdOrganisation } from '../organisation/scope.ts'
import { findAccount } from '../user/account.ts'
import { endSessionsOf } from '../user/sessions.ts'
import type { Person } from './person.ts'
import type { IdentityProvider } from './provider.ts'

type AuditChange = Asked<Call>['auditChange']

/**
 * Returns the account of a person at their organisation's provider. The first time the account with their e-mail
 * becomes theirs, or one is made; from then on it is theirs whatever e-mail the provider tells.
 * @throws Problem forbidden where the e-mail is another's: of another organisation, or bound already; and for superadmins,
 * whom nobody makes but superadmins: an organisation's admin says which provider it has
 */
export async function accountOf(
  tx: Tx,
  provider: IdentityProvider,
  person: Person,
  auditChange: AuditChange,
): Promise<Actor> {
  await holdOrganisation(tx, provider.organisation, 'use')
  const user = (await boundTo(tx, provider, person)) ?? (await bind(tx, provider, person))
  // Locked: somebody who is made a superadmin at the same moment has no session by this.
  await tx.selectFrom('portal_user').select('id').where('id', '=', user).forNoKeyUpdate().execute()
  const account = await findAccount(tx, { id: user })
  if (account === undefined) throw taken(person.email)
  if (account.actor.role === 'superadmin') {
    throw new Problem(
      'forbidden',
      'Superadmins log in with a password or a passkey of this portal, and through no provider. Who has neither asks another superadmin for an invitation.',
    )
  }
  return followGroups(tx, account.actor, person, auditChange)
}

async function boundTo(
  tx: Tx,
  { organisation, client }: IdentityProvider,
  { subject }: Person,
): Promise<UserId | null> {
  const row = await tx
    .selectFrom('provider_identity')
    .select('user_id')
    .where('organisation_id', '=', organisation)
    .where('issuer', '=', client.issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.user_id ?? null
}

async function bind(tx: Tx, provider: IdentityProvider, person: Person): Promise<UserId> {
  const { organisation, client } = provider
  const { email, subject } = person
  await tx
    .insertInto('portal_user')
    .values({ email, role: person.role ?? 'user', organisation_id: organisation, password_hash: null })
    .onConflict((on) => on.doNothing())
    .execute()
  const { id, organisation_id } = await tx
    .selectFrom('portal_user')
    .select(['id', 'organisation_id'])
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (organisation_id !== organisation) throw taken(email)
  await tx
    .insertInto('provider_identity')
    .values({ organisation_id: organisation, issuer: client.issuer, subject, user_id: id })
    .onConflict((on) => on.doNothing())
    .execute()
  // Of two first sign-ins at once both find the one binding; one to somebody else stays as it is.
  if ((await boundTo(tx, provider, person)) !== id) {
    throw new Problem(
      'forbidden',
      `The account ${email} is bound to another person at your provider. Ask your administrator to delete it first.`,
    )
  }
  return id
}

/** Groups that were mapped say the role anew at each sign-in; without one of them it stays as it is. */
async function followGroups(tx: Tx, actor: Actor, { role }: Person, auditChange: AuditChange): Promise<Actor> {
  if (role === null || actor.role === role || (actor.role !== 'user' && actor.role !== 'admin')) return actor
  await tx.updateTable('portal_user').set({ role }).where('id', '=', actor.id).execute()
  await endSessionsOf(tx, actor.id)
  auditChange({ role: actor.role }, { role })
  return { ...actor, role }
}

const taken = (email: string): Problem =>
  new Problem('forbidden', `The e-mail ${email} has an account that is not of this organisation.`)
