import type { Call } from '@trainyard/platform/contract/call.ts'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { CallContext } from '@trainyard/platform/server/core/handler.ts'
import { type JobQueue, job, EMAILS, type Run } from '@trainyard/platform/server/run/jobs/job.ts'
import { mailboxOf, type UserMailDependencies } from './user-mail.ts'
import { browserName } from './browser-name.ts'
import { findSignInUser } from './sign-in-user.ts'
import { linkEmail } from './link-email.ts'
import { USER_AGENT_LENGTH } from './sessions.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'

export const passwordChanged = job<{
  readonly user: UserId
  readonly at: string
  readonly address: string
  readonly userAgent: string | null
  /** API keys of the user at the change. */
  readonly keys: { readonly count: number; readonly kept: boolean }
}>('user.passwordChanged', EMAILS)

export async function enqueuePasswordChanged(
  tx: Tx,
  jobs: JobQueue,
  user: UserId,
  keys: { readonly count: number; readonly kept: boolean },
  { address, header }: Pick<CallContext<Call>, 'address' | 'header'>,
): Promise<void> {
  const at = (await portalNow(tx)).toISOString()
  const userAgent = header('user-agent')?.slice(0, USER_AGENT_LENGTH) ?? null
  await jobs.enqueue(tx, passwordChanged, [{ user, at, address, userAgent, keys }])
}

/** Mails the user that the password was changed, so that an owner notices a change by an attacker early. */
export function sendPasswordChanged({ db, mail, publicUrl }: UserMailDependencies): Run<typeof passwordChanged> {
  return async ({ user, at, address, userAgent, keys }) => {
    const found = await findSignInUser(db, { id: user })
    if (found === undefined) return
    const { email } = found.actor
    await mail.send(
      linkEmail({
        key: `password-changed-${user}-${at}`,
        to: await mailboxOf(db, user, email),
        subject: 'Your password was changed',
        paragraphs: [
          `The password of ${email} was changed on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC, with ${browserName(userAgent)} from the address ${address}. ${sessionsEnded(keys)}`,
          'If this was you, no action is needed. If not, choose a new password now and tell your administrator.',
        ],
        link: `${publicUrl}/forgot`,
        button: 'Forgot Password',
        afterLink: 'We never ask for your password.',
      }),
    )
  }
}

/** Returns what a change of the password ended. */
export function sessionsEnded({ count, kept }: { readonly count: number; readonly kept: boolean }): string {
  if (count === 0) return 'All other sessions were ended.'
  const keys = count === 1 ? 'one API key' : `${count} API keys`
  return kept
    ? `All other sessions were ended, but ${keys} ${count === 1 ? 'is' : 'are'} still valid.`
    : `All other sessions and ${keys} were ended.`
}
