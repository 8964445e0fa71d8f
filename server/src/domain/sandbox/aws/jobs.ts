import { sql } from 'kysely'
import type { Db } from '../../../db/schema.ts'
import type { JobHandlers } from '../../../jobs.ts'
import type { Mail } from '../../../providers/mail.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { invitationLink } from '../../user/invitation.ts'
import { awsLabLetter } from './letter.ts'

/** Tells a new lab user, at the personal address; of one ended meanwhile, or signed in already, nobody is told. */
export function inviteAwsUser(given: {
  readonly db: Db
  readonly mail: Mail
  readonly seal: Seal
  readonly publicUrl: string
}): JobHandlers['awsUser.invite'] {
  return async ({ user, invitation }) => {
    const invited = await given.db
      .selectFrom('aws_user')
      .innerJoin('invitation', 'invitation.user_id', 'aws_user.account_id')
      .select(['email', 'personal_email as personalEmail', 'end_at as endsAt'])
      .where('aws_user.id', '=', user)
      .where('aws_user.desired', '=', 'ready')
      .where('invitation.id', '=', invitation)
      .where('invitation.used_at', 'is', null)
      .where('invitation.expires_at', '>', sql<Date>`portal_now()`)
      .executeTakeFirst()
    if (invited === undefined) return
    const link = invitationLink(given.publicUrl, given.seal, invitation)
    await given.mail.send(awsLabLetter({ ...invited, invitation, link }))
  }
}
