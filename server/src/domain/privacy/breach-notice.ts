import { type Expression, sql } from 'kysely'
import type { JobHandlers } from '../../jobs/jobs.ts'
import { MailRejectedError } from '../../providers/mail.ts'
import { plainEmail } from '../money/invoice/mail.ts'
import type { AccountMailDependencies } from '../people/user/account-mail.ts'
import { missingDetails, noticeLines } from './breach-texts.ts'

type Dependencies = Pick<AccountMailDependencies, 'db' | 'mail' | 'mailboxOf'>

/** Sends one notice of a personal data breach. Records when it was sent, or the reason why it was not. */
export function sendBreachNotice({ db, mail, mailboxOf }: Dependencies): JobHandlers['breach.notice'] {
  return async ({ breach, kind, email }) => {
    const record = (result: { sent_at: Expression<Date> } | { problem: string }) =>
      db
        .updateTable('breach_recipient')
        .set(result)
        .where('breach_id', '=', breach)
        .where('kind', '=', kind)
        .where('email', '=', email)
        .where('sent_at', 'is', null)
        .execute()
    const row = await db
      .selectFrom('breach_recipient as r')
      .innerJoin('breach as b', 'b.id', 'r.breach_id')
      .leftJoin('organisation as o', 'o.id', 'r.organisation_id')
      .leftJoin('portal_user as u', 'u.email', 'r.email')
      .select(['what', 'found_at', 'cause', 'consequences', 'measures', 'advice', 'contact', 'kind'])
      .select(['u.id as user', 'o.name as organization'])
      .select((eb) => [
        eb.fn.coalesce('o.time_zone', sql.lit('UTC')).as('time_zone'),
        eb
          .selectFrom('breach_recipient as a')
          .select((a) => a.fn.countAll<number>().as('users'))
          .whereRef('a.breach_id', '=', 'r.breach_id')
          .whereRef('a.organisation_id', '=', 'r.organisation_id')
          .where('a.kind', '=', 'user')
          .$asScalar()
          .as('users'),
      ])
      .where('r.breach_id', '=', breach)
      .where('r.kind', '=', kind)
      .where('r.email', '=', email)
      .where('requested_at', 'is not', null)
      .where('sent_at', 'is', null)
      .executeTakeFirst()
    if (row === undefined || missingDetails(row).length > 0) return
    const { user, users, ...notice } = row
    if (user === null) return void (await record({ problem: 'The account no longer exists.' }))
    try {
      await mail.send({
        key: `breach-${breach}-${kind}-${email}`,
        to: (await mailboxOf(db, user)) ?? email,
        subject: 'Security incident: your personal data in Trainyard',
        ...plainEmail(noticeLines({ ...notice, users: users ?? 0 })),
      })
    } catch (thrown) {
      if (thrown instanceof MailRejectedError) await record({ problem: thrown.reply })
      throw thrown
    }
    await record({ sent_at: sql<Date>`portal_now()` })
  }
}
