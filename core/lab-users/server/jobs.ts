import { job, EMAILS, type Run } from '@trainyard/platform/server/run/jobs/job.ts'
import type { SandboxUserId } from '@trainyard/platform/contract/words/ids.ts'
import { sendInvitationEmail } from '@trainyard/users/server/invitation-delivery.ts'
import { invitationLink, validInvitations } from '@trainyard/users/server/invitation-link.ts'
import type { UserMailDependencies } from '@trainyard/users/server/user-mail.ts'
import type { LabUserTable } from './lab-users.ts'
import { labEmail, type LabTexts } from './email.ts'

export const azureUserInvite = job<{ readonly user: SandboxUserId; readonly invitation: string }>(
  'azureUser.invite',
  EMAILS,
)

export const awsUserInvite = job<{ readonly user: SandboxUserId; readonly invitation: string }>(
  'awsUser.invite',
  EMAILS,
)

/** Dependencies of the e-mails to lab users. The rows contain the recipient. */
const AZURE: LabTexts = {
  lab: 'Azure lab',
  signIn: 'You sign in as',
  portal:
    'Choose a password for the lab portal first. Then open Azure Sandbox to create sandboxes and to see how to sign in to Azure. At the first sign-in to Azure, Microsoft requires a new password and multifactor authentication: have a phone with an authenticator app ready.',
}

const AWS: LabTexts = {
  lab: 'AWS lab',
  signIn: 'You sign in to the lab portal as',
  portal:
    'Choose a password for the portal first. Then open AWS Sandbox to find the AWS console and how to sign in to it.',
}

export const inviteAzureUser = (parts: UserMailDependencies): Run<typeof azureUserInvite> =>
  inviteLabUser(parts, 'azure_user', AZURE)

export const inviteAwsUser = (parts: UserMailDependencies): Run<typeof awsUserInvite> =>
  inviteLabUser(parts, 'aws_user', AWS)

/** Invites a lab user, unless the user has ended or accepted the invitation in the meantime. */
function inviteLabUser({ db, mail, seal, publicUrl }: UserMailDependencies, table: LabUserTable, words: LabTexts) {
  return async ({ user, invitation }: { readonly user: SandboxUserId; readonly invitation: string }) => {
    const invited = await db
      .selectFrom(table)
      .select(['email', 'personal_email as personalEmail', 'end_at as endsAt'])
      .where('id', '=', user)
      .where('desired', '=', 'ready')
      .where('account_id', 'in', validInvitations(db).select('user_id').where('invitation.id', '=', invitation))
      .executeTakeFirst()
    if (invited === undefined) return
    const link = invitationLink(publicUrl, seal, invitation)
    await sendInvitationEmail(db, invitation, mail.send(labEmail(words, { ...invited, invitation, link })))
  }
}
