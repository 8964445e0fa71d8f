import type { UserId, WebhookEndpointId } from '@trainyard/platform/contract/words/ids.ts'
import { job, EMAILS, type Run } from '@trainyard/platform/server/run/jobs/job.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { escapeHtml, type Mail } from '@trainyard/platform/server/mail/mail.ts'

export const webhookDisabled = job<{ readonly endpoint: WebhookEndpointId; readonly user: UserId }>(
  'webhook.disabled',
  EMAILS,
)

interface Dependencies {
  readonly db: Db
  readonly mail: Mail
  readonly publicUrl: string
}

const REASONS = {
  gone: 'It replied with 410 Gone.',
  failing: 'It has not accepted any event for three days.',
}

/** Notifies an admin of a webhook endpoint that was disabled automatically. */
export function sendWebhookDisabled({ db, mail, publicUrl }: Dependencies): Run<typeof webhookDisabled> {
  return async ({ endpoint, user }) => {
    const row = await db
      .selectFrom('webhook_endpoint')
      .innerJoin('portal_user', 'portal_user.organisation_id', 'webhook_endpoint.organisation_id')
      .select(['url', 'disabled_at', 'disabled_reason', 'email'])
      .where('webhook_endpoint.id', '=', endpoint)
      .where('portal_user.id', '=', user)
      .executeTakeFirst()
    if (row === undefined || row.disabled_at === null || row.disabled_reason === null) return
    if (row.disabled_reason === 'user') return
    const { host } = new URL(row.url)
    const link = `${publicUrl}/admin/webhooks`
    const paragraphs = [
      `The webhook endpoint ${row.url} was disabled. ${REASONS[row.disabled_reason]}`,
      'It receives no more events. Repair the receiver, enable the endpoint again and send the failed deliveries again.',
    ]
    await mail.send({
      key: `webhook-${endpoint}-${user}-${row.disabled_at.getTime()}`,
      to: row.email,
      subject: `Webhook endpoint ${host} disabled`,
      text: `${['Hello,', ...paragraphs, link, 'Trainyard'].join('\n\n')}\n`,
      html: `<!doctype html>
<html lang="en">
<body style="font:16px/1.5 system-ui,sans-serif;color:#16202c">
<p>Hello,</p>
${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n')}
<p><a href="${escapeHtml(link)}" style="color:#123f7a">Webhooks</a></p>
<p>Trainyard</p>
</body>
</html>
`,
    })
  }
}
