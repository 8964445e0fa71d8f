import type { ColumnType } from 'kysely'

/** Key with a default of the database. */
export type DefaultId<Id> = ColumnType<Id, Id | undefined, never>

/** Set when the row is inserted, then constant. */
export type Immutable<T> = ColumnType<T, T, never>

/** Written by the database or by raw SQL only, not through Kysely's insert and update. */
export type ReadOnly<T> = ColumnType<T, never, never>
