import type { ChangeRequestId } from '@trainyard/platform/contract/words/ids.ts'
import { job, EMAILS, type Run } from '@trainyard/platform/server/run/jobs/job.ts'
import { requestText } from '../contract/change-request-words.ts'
import { hasMailbox } from '@trainyard/platform/contract/words/email.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { escapeHtml, type Mail } from '@trainyard/platform/server/mail/mail.ts'
import { subjectOf } from './list.ts'
import { selectDecision } from './queries.ts'

export const requestDecided = job<{ readonly request: ChangeRequestId }>('changeRequest.decided', EMAILS)

interface MailDependencies {
  readonly db: Db
  readonly mail: Mail
  readonly publicUrl: string
}

/** E-mails the decision to the requester. */
export function mailDecision({ db, mail, publicUrl }: MailDependencies): Run<typeof requestDecided> {
  return async ({ request: id }) => {
    const { rows } = await selectDecision(db, id)
    const row = rows[0]
    if (row === undefined || !hasMailbox(row.to)) return
    const { state, decided_by, answer, to, ...subject } = row
    const lines = [
      'Hello,',
      `${decided_by} ${state} your request: ${requestText(subjectOf(subject))}.`,
      ...(answer === null ? [] : [`Reason: ${answer}`]),
      `Your requests: ${publicUrl}/requests`,
      'Trainyard',
    ]
    await mail.send({
      key: `change-request-${id}`,
      to,
      subject: `Your request was ${state}`,
      text: `${lines.join('\n\n')}\n`,
      html: `<!doctype html><html lang="en"><body>${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')}</body></html>`,
    })
  }
}
