import { sql } from 'kysely'
import type { Turns } from '@trainyard/platform/server/run/reconcile/claim.ts'

/**
 * Makes organisations take turns.
 * @param max rows of one organisation that a worker holds
 */
export const organisationTurns = (max: number): Turns => ({
  owners: sql`select id from organisation`,
  column: 'organisation_id',
  max,
})
