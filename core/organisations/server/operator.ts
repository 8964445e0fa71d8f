import { ask, hook } from '@trainyard/platform/server/core/events.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'

/** Asks for the legal name of who runs the portal. */
export const operator = hook<void, string | null>('organisations.operator', null, (first, second) => first ?? second)

/** Returns the name of who runs the portal, as documents show it. */
export const operatorName = async (db: Db): Promise<string> => (await ask(db, operator, undefined)) ?? 'Trainyard'
