import { sql } from 'kysely'
import type { Call } from '@trainyard/contract/call.ts'
import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Asked } from '../../../core/handler.ts'
import type { JobHandlers, Jobs } from '../../../jobs/jobs.ts'
import type { AccountMailParts } from './account-mail.ts'
import { browserName } from './browser-name.ts'
import { findAccount } from './account.ts'
import { passwordEmail } from './password-email.ts'
import { USER_AGENT_LENGTH } from './sessions.ts'

/** Enqueues the email that notifies a user of a changed password. */
export async function putPasswordChanged(
  tx: Tx,
  jobs: Jobs,
  user: UserId,
  { address, header }: Pick<Asked<Call>, 'address' | 'header'>,
): Promise<void> {
  const { rows } = await sql<{ now: Date }>`select portal_now() as now`.execute(tx)
  const userAgent = header('user-agent')?.slice(0, USER_AGENT_LENGTH) ?? null
  await jobs.put(tx, 'user.passwordChanged', [{ user, at: rows[0]!.now.toISOString(), address, userAgent }])
}

/** Mails a notice of a changed password, so that a user who did not change it learns of it early. */
export function tellPasswordChanged({
  db,
  mail,
  publicUrl,
  mailboxOf,
}: AccountMailParts): JobHandlers['user.passwordChanged'] {
  return async ({ user, at, address, userAgent }) => {
    const account = await findAccount(db, { id: user })
    if (account === undefined) return
    const { email } = account.actor
    await mail.send(
      passwordEmail({
        key: `password-changed-${user}-${at}`,
        to: (await mailboxOf(db, user)) ?? email,
        subject: 'Your password was changed',
        paragraphs: [
          `The password of ${email} was changed on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC, with ${browserName(userAgent)} from the address ${address}. All other sessions are ended.`,
          'If that was you, there is nothing to do. If not, choose another one at once, and tell your administrator.',
        ],
        link: `${publicUrl}/forgot`,
        button: 'Forgot Password',
        afterLink: 'Nobody of ours asks you for your password.',
      }),
    )
  }
}
