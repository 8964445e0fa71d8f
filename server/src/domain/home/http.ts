import type { HandlersOf } from '../../core/handler.ts'
import { organisationInScope } from '../people/organisation/scope.ts'
import { attention } from './attention.ts'
import { countAll } from './dashboard.ts'
import { trainingsNow } from './trainings.ts'
import { usageNow } from './usage.ts'

export const homeHandlers: HandlersOf<'home'> = {
  dashboard: (db) => countAll(db),

  usage: (db) => usageNow(db),

  async trainings(db, { actor, query }) {
    return trainingsNow(db, await organisationInScope(db, actor, query.organization))
  },

  attention: (db) => attention(db),

  /** Does nothing itself: the audit row that every change writes is the log entry. */
  async contact() {
    return { message: 'Thank you for contacting us.' }
  },
}
