import type { AnswerTo } from '@trainyard/platform/server/core/events.ts'
import type { pagesSought } from '@trainyard/platform/server/core/search.ts'
import { selectPeopleLike } from './queries.ts'

/** Finds people by the beginning of their e-mail address or of a part of their name. */
export const findPeople: AnswerTo<typeof pagesSought> = async (db, sought) => {
  const { rows } = await selectPeopleLike(db, sought)
  return rows.map(({ email, name, organisation }) => {
    const named = sought.within === null ? organisation : null
    const search: Record<string, string> = named === null ? {} : { organization: named }
    return {
      group: 'People',
      label: name ?? email,
      hint: [name === null ? null : email, named].filter((part) => part !== null).join(' · '),
      path: organisation === null ? '/overview' : '/admin/people',
      search,
    }
  })
}
