import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { OrganisationId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { MAILED_LINK } from '@trainyard/platform/contract/words/mailed-link.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { ask, hook } from '@trainyard/platform/server/core/events.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { type JobQueue, job, EMAILS, type Run } from '@trainyard/platform/server/run/jobs/job.ts'
import { mailboxOf, type UserMailDependencies } from './user-mail.ts'
import { cannotBeAdded, refuseForeignDomains } from './domain-owner.ts'
import {
  type Invitation,
  INVITATION_DAYS,
  invitationLink,
  revokeLinks,
  useInvitation,
  validInvitations,
} from './invitation-link.ts'
import { inviteUser } from './invite-users.ts'
import { addressChanged, hasMailbox } from './address.ts'
import { linkEmail } from './link-email.ts'
import { updateAddress } from './queries.ts'

export interface ConfirmedLink {
  readonly user: UserId
  readonly email: string
  readonly organisation: OrganisationId
  readonly issuer: string
  readonly subject: string
}

/** Links a user to a user at a provider. The answer is the sentence for the user; null if the link is not possible. */
export const linkedAtProvider = hook<ConfirmedLink, string | null, Tx>(
  'users.linkedAtProvider',
  null,
  (first, second) => first ?? second,
)

export const changeConfirmation = job<{ readonly link: string }>('user.confirmChange', EMAILS)

export const addressNotice = job<{
  readonly notice: string
  readonly mailbox: string
  /** False if the user has not confirmed the change yet. */
  readonly made: boolean
  readonly from: string
  readonly to: string
}>('user.addressNotice', EMAILS)

/**
 * A change of a user that lets another person sign in as that user. An admin of the organisation can request it through
 * the directory or the identity provider, so the user confirms it from the current mailbox.
 */
export type UserChange =
  | { readonly purpose: 'address'; readonly newEmail: string }
  | { readonly purpose: 'provider'; readonly issuer: string; readonly subject: string }

/**
 * Mails the user a link that confirms a change. The change replaces an earlier one of its kind. The link
 * of the same change is mailed again, because the first e-mail may be lost.
 */
export async function requestChange(tx: Tx, jobs: JobQueue, user: UserId, change: UserChange): Promise<void> {
  const { purpose } = change
  const values =
    purpose === 'address' ? { new_email: change.newEmail } : { issuer: change.issuer, subject: change.subject }
  const { email } = await tx
    .selectFrom('portal_user')
    .select('email')
    .where('id', '=', user)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const pending = await validInvitations(tx)
    .select('id')
    .where('user_id', '=', user)
    .where('purpose', '=', purpose)
    .where((eb) => eb.and(values))
    .executeTakeFirst()
  if (pending !== undefined) return mailAgain(tx, jobs, pending.id)
  await revokeLinks(tx, user, purpose)
  const { id } = await tx
    .insertInto('invitation')
    .values({
      user_id: user,
      purpose,
      ...values,
      expires_at: sql<Date>`portal_now() + make_interval(days => ${INVITATION_DAYS})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await jobs.enqueue(tx, changeConfirmation, [{ link: id }])
  if (purpose === 'provider') return
  const { newEmail: to } = change
  await jobs.enqueue(tx, addressNotice, [{ notice: id, mailbox: to, made: false, from: email, to }])
}

/**
 * Mails the link again to the user who is about to get an address. Returns the current address and
 * role; null if no user of the organisation waits for that address.
 */
export async function remindOfAddressChange(
  tx: Tx,
  jobs: JobQueue,
  organisation: OrganisationId,
  newEmail: string,
): Promise<{ readonly email: string; readonly role: Role } | null> {
  const pending = await validInvitations(tx)
    .innerJoin('portal_user as u', 'u.id', 'invitation.user_id')
    .select(['invitation.id', 'u.email', 'u.role'])
    .where('u.organisation_id', '=', organisation)
    .where('invitation.new_email', '=', newEmail)
    .orderBy('invitation.id')
    .executeTakeFirst()
  if (pending === undefined) return null
  await mailAgain(tx, jobs, pending.id)
  return { email: pending.email, role: pending.role }
}

/** Minutes between two e-mails with the same link, so that the mailbox cannot be flooded. */
const AGAIN_MINUTES = 10

async function mailAgain(tx: Tx, jobs: JobQueue, link: string): Promise<void> {
  const due = await tx
    .updateTable('invitation')
    .set({ mailed_at: sql<Date>`portal_now()` })
    .where('id', '=', link)
    .where(sql<boolean>`mailed_at <= portal_now() - make_interval(mins => ${AGAIN_MINUTES})`)
    .returning('id')
    .executeTakeFirst()
  if (due !== undefined) await jobs.enqueue(tx, changeConfirmation, [{ link }])
}

/** Makes the change that a link confirms. Returns the sentence for the user. @throws Problem notFound, conflict */
export async function confirmChange(tx: Tx, jobs: JobQueue, link: Invitation): Promise<string> {
  await useInvitation(tx, link)
  const { purpose, new_email, issuer, subject, email, organisation_id } = await tx
    .selectFrom('invitation as i')
    .innerJoin('portal_user as u', 'u.id', 'i.user_id')
    .select(['i.purpose', 'i.new_email', 'i.issuer', 'i.subject', 'u.email', 'u.organisation_id'])
    .where('i.id', '=', link.id)
    .executeTakeFirstOrThrow()
  if (organisation_id === null) throw new Problem('notFound', MAILED_LINK.invitationNotValid)
  const changed = { id: link.user, email, organisation: organisation_id }
  if (purpose === 'address') {
    await changeAddress(tx, jobs, changed, new_email!)
    return `Your account now has the address ${new_email}.`
  }
  const linked = await ask(tx, linkedAtProvider, {
    user: link.user,
    email,
    organisation: organisation_id,
    issuer: issuer!,
    subject: subject!,
  })
  if (linked === null) throw new Problem('notFound', MAILED_LINK.invitationNotValid)
  return linked
}

/**
 * Changes the address of a user and of their machines, revokes links in the former mailbox, and notifies both
 * addresses.
 * @throws Problem conflict if the address belongs elsewhere
 */
export async function changeAddress(
  tx: Tx,
  jobs: JobQueue,
  { id, email, organisation }: { readonly id: UserId; readonly email: string; readonly organisation: OrganisationId },
  newEmail: string,
): Promise<void> {
  await refuseForeignDomains(tx, organisation, [newEmail])
  const { rows } = await updateAddress(tx, newEmail, id)
  const [changed] = rows
  if (changed === undefined) throw cannotBeAdded(newEmail)
  await addressChanged(tx, organisation, email, newEmail)
  const invited = await revokeLinks(tx, id, 'invitation')
  // A link in the former mailbox could set the password of the user, or link another user at the provider to it.
  await revokeLinks(tx, id)
  // A user who signs in through the provider must not be able to set a password from another mailbox.
  if (invited > 0 && changed.signed_in_at === null) await inviteUser(tx, jobs, id)
  const mailboxes = [email, newEmail].filter(hasMailbox)
  await jobs.enqueue(
    tx,
    addressNotice,
    mailboxes.map((mailbox) => ({ notice: randomUUID(), mailbox, made: true, from: email, to: newEmail })),
  )
}

/** Mails the user the link that confirms a change. */
export function sendChangeConfirmation({
  db,
  mail,
  seal,
  publicUrl,
}: UserMailDependencies): Run<typeof changeConfirmation> {
  return async ({ link }) => {
    const change = await validInvitations(db)
      .innerJoin('portal_user', 'portal_user.id', 'invitation.user_id')
      .innerJoin('organisation', 'organisation.id', 'portal_user.organisation_id')
      .select(['user_id', 'new_email', 'email', 'organisation.name'])
      .where('invitation.id', '=', link)
      .executeTakeFirst()
    if (change === undefined) return
    const { user_id, new_email, email, name } = change
    await mail.send(
      linkEmail({
        key: `confirm-${link}`,
        to: await mailboxOf(db, user_id, email),
        subject: 'Confirm a change of your account',
        paragraphs: [
          new_email === null
            ? `A user of the sign-in provider of ${name} wants to use the account ${email}.`
            : requestOf({ from: email, to: new_email }),
          'The account does not change until you confirm this.',
        ],
        link: invitationLink(publicUrl, seal, link),
        button: 'Read the request',
        afterLink: `The link works once, within ${INVITATION_DAYS} days. If you did not expect this, do not confirm it, and tell your administrator.`,
      }),
    )
  }
}

/** Mails one of the two addresses that a change of an address was requested or made. */
export function sendAddressNotice({ mail, publicUrl }: UserMailDependencies): Run<typeof addressNotice> {
  return async ({ notice, mailbox, made, from, to }) =>
    mail.send(
      linkEmail({
        key: `address-${notice}`,
        to: mailbox,
        subject: made ? 'The address of your account was changed' : 'A change of an address was requested',
        paragraphs: [
          made ? `The address of the account ${from} is now ${to}.` : requestOf({ from, to }),
          ...(made ? [] : [`${from} must confirm this first.`]),
        ],
        link: `${publicUrl}/login`,
        button: 'Go to Login',
        afterLink: 'If you did not expect this, tell your administrator.',
      }),
    )
}

const requestOf = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  `The directory of your organisation wants to change the address of the account ${from} to ${to}.`
