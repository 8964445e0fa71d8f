import { ask } from '@trainyard/platform/server/core/events.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { PortalUserRow } from '../tables.gen.ts'
import { leftBehind } from './role.ts'

/** Appends warnings about what a former admin leaves behind. */
export const withWarnings = async (
  tx: Tx,
  { email, organisation_id: organisation }: Pick<PortalUserRow, 'email' | 'organisation_id'>,
  message: string,
): Promise<string> => [message, ...(await ask(tx, leftBehind, { email, organisation }))].join(' ')
