import { setTimeout as pause } from 'node:timers/promises'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import { type Email, type Mail, MailRejectedError, MailSendError } from '@trainyard/platform/server/mail/mail.ts'
import { job, type Run } from '@trainyard/platform/server/run/jobs/job.ts'
import type { WorkerDependencies } from '@trainyard/platform/server/run/parts.ts'
import { linkEmail } from '@trainyard/users/server/link-email.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import { mailboxOf } from '@trainyard/users/server/user-mail.ts'
import { answerTry, isTryRunning } from './tries.ts'

/** A user waits for the answer, so a job that fails is repeated once, at once. */
const TRIES = { retryLimit: 1, retryDelay: 1, heartbeatSeconds: 10 }

export const connectionsTry = job<{ readonly attempt: number }>('set-up.connections', TRIES)

/** Names no address, because jobs are not personal data. */
export const mailTry = job<{ readonly attempt: number; readonly user: UserId }>('set-up.mail', TRIES)

/** Checks all but the database, whose checks read every row and can take minutes. */
export function tryConnections({
  db,
  diagnose,
}: Pick<WorkerDependencies, 'db' | 'diagnose'>): Run<typeof connectionsTry> {
  return async ({ attempt }) => {
    if (!(await isTryRunning(db, 'connections', attempt))) return
    await answerTry(db, 'connections', attempt, { checks: await diagnose(({ group }) => group !== 'Database') })
  }
}

/** Milliseconds after which an answer is no longer awaited, even if the server keeps the connection busy. */
const PATIENCE_MS = 30_000

export function tryMail({
  db,
  mail,
  publicUrl,
  hideSecrets,
}: Pick<WorkerDependencies, 'db' | 'mail' | 'publicUrl' | 'hideSecrets'>): Run<typeof mailTry> {
  return async ({ attempt, user }) => {
    const found = await findSignInUser(db, { id: user })
    if (found === undefined || !(await isTryRunning(db, 'mail', attempt))) return
    const to = await mailboxOf(db, user, found.actor.email)
    const email = linkEmail({
      key: `set-up-${attempt}`,
      to,
      subject: 'Test e-mail of Trainyard',
      paragraphs: ['This portal can send e-mails. You asked for this message in its set-up.'],
      link: publicUrl,
      button: 'Open Trainyard',
      afterLink: 'Nothing else is to do.',
    })
    const { accepted, sentence } = await send(mail, email)
    await answerTry(db, 'mail', attempt, { accepted, sentence: hideSecrets(sentence) })
  }
}

/** Messages of nodemailer when one of its time limits ends. */
const NO_ANSWER = /^(Timeout|Connection timeout|Greeting never received)/
const SILENT = 'The mail server gave no answer. Check host and port in SMTP_URL, and the firewall.'

interface Answer {
  readonly accepted: boolean
  readonly sentence: string
}

async function send(mail: Mail, email: Email): Promise<Answer> {
  const late = new AbortController()
  let reply = ''
  const sent = mail.send({ ...email, onAccepted: (text) => void (reply = text) }).then(
    () => ({
      accepted: true,
      sentence: `The mail server accepted the e-mail to ${email.to}${reply === '' ? '.' : `: ${reply}`}`,
    }),
    (error: unknown) => {
      if (error instanceof MailRejectedError)
        return { accepted: false, sentence: `The mail server rejected the e-mail to ${email.to}: ${error.reply}` }
      if (error instanceof MailSendError)
        return {
          accepted: false,
          sentence: NO_ANSWER.test(error.message) ? SILENT : `The e-mail was not sent: ${error.message}`,
        }
      throw error
    },
  )
  const waited = pause(PATIENCE_MS, null, { signal: late.signal }).then(() => ({
    accepted: false,
    sentence: SILENT,
  }))
  // Awaited by the race only; the abort below rejects it.
  waited.catch(() => {})
  try {
    return await Promise.race([sent, waited])
  } finally {
    late.abort()
  }
}
