import type { RawBuilder } from 'kysely'
import type { UserId } from '../../contract/words/ids.ts'
import type { Schema, Tx } from '../db/schema.ts'

/** Column that names the person of a row, by user or by e-mail address, or the SQL condition of the person's rows. */
export type Owner =
  | { readonly user: string }
  | { readonly address: string }
  | { readonly condition: (person: PersonKeys) => RawBuilder<unknown> }

/** Identifiers of a person. */
export interface PersonKeys {
  readonly users: readonly UserId[]
  readonly addresses: readonly string[]
}

/** Columns are separated by spaces. Every column that can contain text or bytes is in one of the lists. */
export interface PersonalData {
  /** Null: no row belongs to a person. */
  readonly owner: Owner | null
  /** Heading of the table in an export; required for tables with an owner. */
  readonly title?: string
  /** Erasure of the person's rows. With `keep` they remain under a pseudonym, for usage, attendance and money. */
  readonly erase?: 'delete' | 'keep'
  /** `delete`: erasure deletes each row with the address in `mentions`. Otherwise it replaces the address. */
  readonly ifMentioned?: 'delete'
  /** Texts and documents that can contain an e-mail address. */
  readonly mentions?: string
  /** Columns of `mentions` with the address of a former owner of the row. Exported only if it is the person's own address. */
  readonly formerOwner?: string
  /** Personal details without an address. Erasure clears them in rows that it does not delete. */
  readonly details?: string
  /** Hashes, keys and encrypted values. Never exported; deleted with their row. */
  readonly secrets?: string
  /** Documents that the law requires unchanged. The reasons are in addons/privacy/README.md. */
  readonly requiredByLaw?: string
  /** Data that is not personal: codes, names of things, places. */
  readonly other?: string
}

/** Returns the data of a table whose rows belong to no person. */
export const withoutOwner = (other: string, mentions = '', secrets = ''): PersonalData => ({
  owner: null,
  mentions,
  secrets,
  other,
})

/** Returns the columns of a list. */
export const columnsIn = (list: string | undefined): string[] => (list ?? '').split(/\s+/).filter(Boolean)

/** The query returns violating rows. `quiet`: checked only when nothing is changing. */
export interface Invariant {
  readonly name: string
  readonly description: string
  readonly when: 'always' | 'quiet'
  readonly query: string
}

/** Table, the setting that limits its age, and its rows `t` that may be deleted, with their organisation and end. */
export interface Retained {
  readonly table: keyof Schema
  readonly days: 'activity_days' | 'attendance_days' | 'email_days' | 'sign_in_days' | 'webhook_days'
  /** Joins to the organisation, if the table does not have it. */
  readonly from?: string
  readonly organisation: string
  readonly ended: string
}

/** Restriction of what API and worker may write in a table. */
export interface Access {
  /** `insert`: rows are never updated or deleted. `none`: only functions, triggers or the database's owner write. */
  readonly writes?: 'insert' | 'none'
  /**
   * Columns whose values PostgreSQL always sets, so that the role cannot insert a row with a time, a transaction or a
   * number of its choice.
   */
  readonly generated?: readonly string[]
  /** The only columns that an update can change. */
  readonly updates?: readonly string[]
}

/** Columns of a row that a worker reconciles. */
export const QUEUE_COLUMNS = ['reconcile_at', 'leased_until', 'fence', 'generation', 'attempts', 'last_error'] as const

/** A column with encrypted secrets. */
export interface StoredSecret {
  readonly table: keyof Schema
  readonly column: string
  /** Column whose value is part of the encryption context. */
  readonly key: string
  /** Default: the key itself. A secret copied to the row of another key cannot be decrypted. */
  readonly context?: (key: string) => string
}

/** Facts about the tables of a module that the platform needs. */
export interface Tables {
  /** File with the statements that create the tables. It refers only to tables of the modules before. */
  readonly sql?: URL
  /** Every table, so that a new column must be listed before it can be used. A test compares it with the database. */
  readonly personal?: Readonly<Partial<Record<keyof Schema, PersonalData>>>
  readonly access?: Readonly<Partial<Record<keyof Schema, Access>>>
  /** Functions that API and worker call, and that write tables which these may not. */
  readonly executes?: readonly string[]
  readonly sealed?: readonly StoredSecret[]
  readonly invariants?: readonly Invariant[]
  /** Rows that an organisation may delete earlier than the portal does. */
  readonly retained?: readonly Retained[]
  /** Functions that delete expired rows. */
  readonly expire?: readonly ((tx: Tx) => Promise<void>)[]
}
