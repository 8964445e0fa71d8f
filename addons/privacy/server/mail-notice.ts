import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { escapeHtml, type Email, type Mail } from '@trainyard/platform/server/mail/mail.ts'

/** Returns a mail sender that adds the address of a privacy notice to every e-mail. */
export const withPrivacyNotice = (mail: Mail, db: Db, publicUrl: string): Mail => ({
  async send(email) {
    await mail.send(emailWithNotice(email, (await noticeOf(db, email.to)) ?? `${publicUrl}/privacy`))
  },
})

/** Returns the address of the notice of the user's organisation; null: none is set, or the address belongs to no user. */
async function noticeOf(db: Db, email: string): Promise<string | null> {
  const found = await db
    .selectFrom('portal_user')
    .innerJoin('organisation_privacy as p', 'p.organisation_id', 'portal_user.organisation_id')
    .select('p.notice_url')
    .where('email', '=', email)
    .executeTakeFirst()
  return found?.notice_url ?? null
}

function emailWithNotice(email: Email, url: string): Email {
  const line = `<p style="font-size:.875rem"><a href="${escapeHtml(url)}">Privacy notice</a></p>`
  return {
    ...email,
    text: `${email.text}\nPrivacy notice: ${url}\n`,
    // Texts of users are escaped, so the body has only one end tag.
    html: email.html.replace('</body>', () => `${line}</body>`),
  }
}
