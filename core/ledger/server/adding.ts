import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { ledger } from '../contract/ledger.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { hook } from '@trainyard/platform/server/core/events.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { OrganisationInScope } from '@trainyard/organisations/server/scope.ts'

/** Fields that only other modules record. */
export const ADDED_FIELDS = ['covers', 'tax', 'tds'] as const
type AddedField = (typeof ADDED_FIELDS)[number]

interface Entered {
  readonly actor: Actor
  readonly organisation: OrganisationInScope
  readonly body: BodyOf<typeof ledger.add>
  readonly amount: Paise
}

/** Addition of a module to an invoice or a payment that a user enters. */
interface Addition {
  /** Fields of the body that the module records. */
  readonly adds: readonly AddedField[]
  /** Amount that is paid in addition, in paise. */
  readonly paid?: Paise
  /** Stored with an invoice. */
  readonly document?: object
  /** Stores the addition, once the entry is stored. May return the message for the user. */
  complete?(settles: string | null): Promise<string | void>
}

/** Asks what modules add to an entry before a user's entry is stored. Answers take their locks and throw a Problem. */
export const adding = hook<Entered, readonly Addition[], Tx>('ledger.adding', [], (first, second) => [
  ...first,
  ...second,
])
