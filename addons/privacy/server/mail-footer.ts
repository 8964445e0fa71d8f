import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'

/** Returns the privacy notice of a user's organisation, as labels with values. */
export async function privacyNotice(db: Db, user: UserId): Promise<(readonly [string, string])[]> {
  const notice = await db
    .selectFrom('organisation_privacy as p')
    .innerJoin('portal_user', 'portal_user.organisation_id', 'p.organisation_id')
    .select(['p.responsible', 'p.contact', 'p.purpose'])
    .where('portal_user.id', '=', user)
    .executeTakeFirst()
  const facts = [
    ['Responsible for your data', notice?.responsible],
    ['Requests about your data', notice?.contact],
    ['Purpose', notice?.purpose],
  ] as const
  return facts.flatMap(([label, value]) => (value == null ? [] : [[label, value] as const]))
}

/** Returns true while an erasure of the personal data of an address is due. */
export async function isErasurePending(db: Db, email: string): Promise<boolean> {
  const pending = await db
    .selectFrom('person_erasure')
    .select('id')
    .where('email', '=', email)
    .where('done_at', 'is', null)
    .executeTakeFirst()
  return pending !== undefined
}
