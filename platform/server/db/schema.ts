import type { Kysely, Transaction } from 'kysely'

/** The tables of the database. Each module adds its own. */
// oxlint-disable-next-line typescript/no-empty-object-type -- joined by the modules
export interface Schema {}

export type Db = Kysely<Schema>
/**
 * Transaction. Functions that change rows have a parameter of this type, so that they cannot run outside a transaction.
 */
export type Tx = Transaction<Schema>
