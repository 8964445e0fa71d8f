import { sql } from 'kysely'
import type { Db } from '../../../db/schema.ts'
import type { JobHandlers } from '../../../jobs.ts'
import type { Mail } from '../../../providers/mail.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { invitationLink } from '../../user/invitation.ts'
import { labLetter } from './letter.ts'

/** Tells a new lab user, at the personal address; of one ended meanwhile, or signed in already, nobody is told. */
export function inviteLabUser(given: {
  readonly db: Db
  readonly mail: Mail
  readonly seal: Seal
  readonly publicUrl: string
}): JobHandlers['azureUser.invite'] {
  return async ({ user, invitation }) => {
    const invited = await given.db
      .selectFrom('azure_user')
      .innerJoin('invitation', 'invitation.user_id', 'azure_user.account_id')
      .select(['email', 'personal_email as personalEmail', 'end_at as endsAt'])
      .where('azure_user.id', '=', user)
      .where('azure_user.desired', '=', 'ready')
      .where('invitation.id', '=', invitation)
      .where('invitation.used_at', 'is', null)
      .where('invitation.expires_at', '>', sql<Date>`portal_now()`)
      .executeTakeFirst()
    if (invited === undefined) return
    const link = invitationLink(given.publicUrl, given.seal, invitation)
    await given.mail.send(labLetter({ ...invited, invitation, link }))
  }
}
