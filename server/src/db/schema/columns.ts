import type { ColumnType } from 'kysely'

/** A key that the database makes where none is given. */
export type DefaultId<Id> = ColumnType<Id, Id | undefined, never>

/** Given when the row is made, and never changed. */
export type Once<T> = ColumnType<T, T, never>

/** Kept by triggers, or written by statements of their own: not through Kysely's insert and update. */
export type ReadOnly<T> = ColumnType<T, never, never>
