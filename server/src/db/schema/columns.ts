import type { ColumnType } from 'kysely'

export type DefaultId<Id> = ColumnType<Id, Id | undefined, never>

export type Immutable<T> = ColumnType<T, T, never>

/** Not through Kysely's insert and update. */
export type ReadOnly<T> = ColumnType<T, never, never>
