import { randomUUID } from 'node:crypto'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { type JobQueue, job, EMAILS, type Run } from '@trainyard/platform/server/run/jobs/job.ts'
import { findSignInUser } from './sign-in-user.ts'
import { mailboxOf, type UserMailDependencies } from './user-mail.ts'
import { linkEmail } from './link-email.ts'

export const secretCreated = job<{
  readonly notice: string
  readonly user: UserId
  readonly what: string
  readonly name: string
  readonly by: string
  readonly address: string
  readonly until: string
  readonly link: string
  readonly button: string
}>('secret.created', EMAILS)

interface CreatedSecret {
  /** Kind of the secret, in lower case. */
  readonly what: string
  readonly name: string
  readonly expires: Date
  /** Path of the screen that lists the secret, and its title. */
  readonly link: `/${string}`
  readonly button: string
}

/** Enqueues mails that a secret was created, because it gives access without a sign-in, for up to a year. */
export const enqueueSecretCreated = (
  tx: Tx,
  jobs: JobQueue,
  users: readonly UserId[],
  { what, name, expires, link, button }: CreatedSecret,
  { actor, address }: { readonly actor: Actor; readonly address: string },
): Promise<void> =>
  jobs.enqueue(
    tx,
    secretCreated,
    users.map((user) => ({
      notice: randomUUID(),
      user,
      what,
      name,
      by: actor.email,
      address,
      until: expires.toISOString(),
      link,
      button,
    })),
  )

export function sendSecretCreated({ db, mail, publicUrl }: UserMailDependencies): Run<typeof secretCreated> {
  return async ({ notice, user, what, name, by, address, until, link, button }) => {
    const found = await findSignInUser(db, { id: user })
    if (found === undefined) return
    await mail.send(
      linkEmail({
        key: `secret-${notice}`,
        to: await mailboxOf(db, user, found.actor.email),
        subject: `A new ${what} was created`,
        paragraphs: [
          `${by} created the ${what} ${name} from the address ${address}. It gives access without a sign-in until ${until.slice(0, 10)}.`,
          `If you did not expect this, revoke the ${what}, choose a new password, and tell your administrator.`,
        ],
        link: publicUrl + link,
        button,
        afterLink: 'We never ask for your password.',
      }),
    )
  }
}
