import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { attention } from './attention.ts'
import { trainingsNow } from './trainings.ts'
import { usageNow } from './usage.ts'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { home } from '../contract/home.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { selectCounts } from './queries.ts'

export const homeHandlers: Pick<HandlersOf<'home'>, keyof typeof home> = {
  dashboard: (db) => readDashboard(db),

  usage: (db) => usageNow(db),

  async trainings(db, { actor, query }) {
    return trainingsNow(db, await organisationInScope(db, actor, query.organization), query.training ?? null)
  },

  attention: (db) => attention(db),

  /** Logs the form. The audit row of this call is the log entry. */
  async contact() {
    return { message: 'Thank you for contacting us.' }
  },
}

/** Reads all counts in a single statement, so that all of them describe the same instant. */
async function readDashboard(db: Db): Promise<ReplyOf<typeof home.dashboard>> {
  const { rows } = await selectCounts(db)
  // There is no Google sandbox (spec.md section 1).
  return { ...rows[0]!, gcpTraining: 0, projects: 0, gcpQuotaExceeded: 0 }
}
