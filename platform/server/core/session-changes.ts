import { notify } from '../db/notify.ts'
import type { Tx } from '../db/schema.ts'

export const SESSION_CHANNEL = 'session_changed'

/**
 * Makes every process read sessions again after the transaction commits. Call it with each change of what a session may
 * do: of a session, of its user, of the user's organisation, of a second factor, or of an instructor.
 */
export const sessionsChanged = (tx: Tx): Promise<void> => notify(tx, SESSION_CHANNEL)
