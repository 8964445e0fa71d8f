import type { SandboxUserId } from '@trainyard/contract/words/ids.ts'
import type { JobHandlers } from '../../jobs/jobs.ts'
import { invitationLink, openInvitations } from '../people/user/invitation.ts'
import type { AccountMailParts } from '../people/user/account-mail.ts'
import type { LabUserTable } from './lab-users.ts'
import { labEmail, type LabWords } from './email.ts'

/** The parts that emails to lab users are sent with: their rows say where to. */
type LabMailParts = Omit<AccountMailParts, 'mailboxOf'>

const AZURE: LabWords = {
  lab: 'Azure lab',
  signIn: 'You sign in as',
  portal:
    'Choose a password for the lab portal first. There, Azure Sandbox makes your sandboxes, and shows how to sign in to Azure.',
}

const AWS: LabWords = {
  lab: 'AWS lab',
  signIn: 'You sign in to the lab portal as',
  portal:
    'Choose a password for the portal first. There, AWS Sandbox shows where the AWS console is, and how to sign in to it.',
}

/** Tells a new Azure lab user, at the personal address. */
export const inviteAzureUser = (parts: LabMailParts): JobHandlers['azureUser.invite'] =>
  inviteLabUser(parts, 'azure_user', AZURE)

/** Tells a new AWS lab user, at the personal address. */
export const inviteAwsUser = (parts: LabMailParts): JobHandlers['awsUser.invite'] =>
  inviteLabUser(parts, 'aws_user', AWS)

/** Of one ended meanwhile, or signed in already, nobody is told. */
function inviteLabUser({ db, mail, seal, publicUrl }: LabMailParts, table: LabUserTable, words: LabWords) {
  return async ({ user, invitation }: { readonly user: SandboxUserId; readonly invitation: string }) => {
    const invited = await db
      .selectFrom(table)
      .select(['email', 'personal_email as personalEmail', 'end_at as endsAt'])
      .where('id', '=', user)
      .where('desired', '=', 'ready')
      .where('account_id', 'in', openInvitations(db).select('user_id').where('invitation.id', '=', invitation))
      .executeTakeFirst()
    if (invited === undefined) return
    await mail.send(labEmail(words, { ...invited, invitation, link: invitationLink(publicUrl, seal, invitation) }))
  }
}
