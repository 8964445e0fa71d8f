import { type RawBuilder, sql } from 'kysely'

/**
 * The condition under which a row of `session` lets its person in.
 * @param session its name in the query
 */
export const sessionStands = (session = 'session'): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${session}.expires_at`)} > portal_now())`
