import { sql } from 'kysely'
import { requestText } from '@trainyard/contract/words/change-request.ts'
import { hasMailbox } from '@trainyard/contract/words/email.ts'
import type { Db } from '../../../db/schema.ts'
import type { JobHandlers } from '../../../jobs/jobs.ts'
import { escapeHtml, type Mail } from '../../../providers/mail.ts'
import { SUBJECT_COLUMNS, type SubjectColumns, subjectOf } from './list.ts'

interface MailDependencies {
  readonly db: Db
  readonly mail: Mail
  readonly publicUrl: string
}

/** E-mails the decision to the requester. */
export function mailDecision({ db, mail, publicUrl }: MailDependencies): JobHandlers['changeRequest.decided'] {
  return async ({ request: id }) => {
    const { rows } = await sql<
      SubjectColumns & { state: string; decided_by: string; answer: string | null; to: string }
    >`
      select r.state, r.decided_by, r.answer, u.email as to, ${SUBJECT_COLUMNS}
      from change_request r join portal_user u on u.id = r.asked_by
      where r.id = ${id} and r.state in ('approved', 'refused')`.execute(db)
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
