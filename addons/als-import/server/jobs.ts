import type { ImportedLabId } from '@trainyard/platform/contract/words/ids.ts'
import { job, EMAILS, type Run } from '@trainyard/platform/server/run/jobs/job.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { type Email, escapeHtml, type Mail } from '@trainyard/platform/server/mail/mail.ts'

export const labMoved = job<{ readonly lab: ImportedLabId; readonly email: string }>('labImport.moved', EMAILS)

/**
 * E-mails a learner when the learner's machine in the moved lab is ready. The invitation of the user is a separate
 * e-mail.
 */
export function sendMoved({
  db,
  mail,
  publicUrl,
}: {
  readonly db: Db
  readonly mail: Mail
  readonly publicUrl: string
}): Run<typeof labMoved> {
  return async ({ lab, email }) => {
    const row = await db
      .selectFrom('imported_lab')
      .innerJoin('training', 'training.id', 'imported_lab.training_id')
      .innerJoin('organisation', 'organisation.id', 'imported_lab.organisation_id')
      .select(['training.name as training', 'organisation.time_zone', 'organisation.name as organisation', 'class_at'])
      .where('imported_lab.id', '=', lab)
      .where('imported_lab.moved_at', 'is not', null)
      .executeTakeFirst()
    // The import was rolled back before the e-mail was sent.
    if (row === undefined || row.class_at === null) return
    const when = new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'full',
      timeStyle: 'short',
      timeZone: row.time_zone,
    }).format(row.class_at)
    await mail.send(movedEmail({ ...row, key: `moved-${lab}-${email}`, to: email, when, link: publicUrl }))
  }
}

interface MovedEmail {
  readonly key: string
  readonly to: string
  readonly training: string
  readonly organisation: string
  readonly time_zone: string
  readonly when: string
  readonly link: string
}

function movedEmail({ key, to, training, organisation, time_zone, when, link }: MovedEmail): Email {
  const paragraphs = [
    `${training} of ${organisation} has moved from Azure Lab Services to Trainyard.`,
    `Your machine is ready on ${when} (${time_zone}). Files on your earlier machine are not copied: save them first.`,
    'If you have no account yet, you receive an invitation in a separate e-mail.',
  ]
  return {
    key,
    to,
    subject: `${training}: your machine has moved`.replaceAll(/[\r\n]+/g, ' '),
    text: `${['Hello,', ...paragraphs, link, 'Trainyard'].join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en">
<body style="font:16px/1.5 system-ui,sans-serif;color:#16202c">
<p>Hello,</p>
${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n')}
<p><a href="${escapeHtml(link)}" style="color:#123f7a">Open Trainyard</a></p>
<p>Trainyard</p>
</body>
</html>
`,
  }
}
