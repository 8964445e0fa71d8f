import { connectedModules } from '@trainyard/platform/server/core/events.ts'
import type { PersonalData } from '@trainyard/platform/server/core/tables.ts'

/** Returns the data of all tables, in the order of their names. */
export const personalData = (): Readonly<Record<string, PersonalData>> =>
  Object.fromEntries(
    connectedModules()
      .flatMap(({ tables }) => Object.entries(tables?.personal ?? {}))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
