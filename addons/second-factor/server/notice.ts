import { randomUUID } from 'node:crypto'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { RowOf } from '@trainyard/platform/server/core/events.ts'
import type { systemLinked } from '@trainyard/users/server/sign-in-ways.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { type JobQueue, job, EMAILS, type Run } from '@trainyard/platform/server/run/jobs/job.ts'
import type { Email, Mail } from '@trainyard/platform/server/mail/mail.ts'

type FactorChange =
  | 'app added'
  | 'app removed'
  | 'passkey added'
  | 'passkey removed'
  | 'recovery codes made'
  | 'recovery code used'
  | 'reset'

export const factorNotice = job<{
  readonly notice: string
  readonly user: UserId
  readonly change: string
  /** Sentence about a change that is none of a second factor; null: the one of the change. */
  readonly told: string | null
}>('secondFactor.notice', EMAILS)

export const enqueueFactorNotice = (tx: Tx, jobs: JobQueue, user: UserId, change: FactorChange): Promise<void> =>
  jobs.enqueue(tx, factorNotice, [{ notice: randomUUID(), user, change, told: null }])

/** Tells a user of a change of the account that is no change of a second factor. */
export const enqueueAccountNotice = (tx: Tx, { user, jobs, change, told }: RowOf<typeof systemLinked>): Promise<void> =>
  jobs.enqueue(tx, factorNotice, [{ notice: randomUUID(), user, change, told }])

const SENTENCES: Readonly<Record<FactorChange, string>> = {
  'app added': 'An authenticator app was added to your account.',
  'app removed': 'The authenticator app was removed from your account.',
  'passkey added': 'A passkey was added to your account.',
  'passkey removed': 'A passkey was removed from your account.',
  'recovery codes made': 'New recovery codes were created for your account. The previous ones no longer work.',
  'recovery code used': 'A recovery code was used to sign in to your account.',
  reset: 'An administrator removed the second factors of your account and ended all its sessions.',
}

const IF_NOT_YOU =
  'If you did not expect this, change your password now and tell your administrator. Someone else may know it.'

interface Notice {
  readonly notice: string
  readonly to: string
  readonly change: string
  readonly told: string | null
}

/** Returns the e-mail. Its text is fixed, so escaping is not needed. */
function noticeEmail(of: Notice): Email {
  const paragraphs = ['Hello,', of.told ?? SENTENCES[of.change as FactorChange], IF_NOT_YOU, 'Trainyard']
  return {
    key: `notice-${of.notice}`,
    to: of.to,
    subject: of.told === null ? 'Your second factor at Trainyard' : 'Your account at Trainyard',
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en">\n<body style="font:16px/1.5 system-ui,sans-serif">\n${paragraphs
      .map((paragraph) => `<p>${paragraph}</p>`)
      .join('\n')}\n</body>\n</html>\n`,
  }
}

export function sendFactorNotice({ db, mail }: { readonly db: Db; readonly mail: Mail }): Run<typeof factorNotice> {
  return async ({ notice, user, change, told }) => {
    const person = await db.selectFrom('portal_user').select('email').where('id', '=', user).executeTakeFirst()
    if (person !== undefined) await mail.send(noticeEmail({ notice, to: person.email, change, told }))
  }
}
