import type { Kysely, Transaction } from 'kysely'
import type { Schema } from './tables/schema.gen.ts'

export type { Schema }

export type Db = Kysely<Schema>
/**
 * Transaction. Functions that change rows have a parameter of this type, so that they cannot run outside a transaction.
 */
export type Tx = Transaction<Schema>
