import type { ColumnType } from 'kysely'

export type DefaultId<Id> = ColumnType<Id, Id | undefined, never>

export type Immutable<T> = ColumnType<T, T, never>

/** Column that Kysely's insert and update cannot write. */
export type ReadOnly<T> = ColumnType<T, never, never>
