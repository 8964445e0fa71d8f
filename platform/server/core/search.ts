import type { OrganisationId } from '../../contract/words/ids.ts'
import { hook } from './events.ts'

/** A page that a typed text leads to, such as the document with a number. */
export interface FoundPage {
  /** Heading of the list that the page is in, such as 'People'. */
  readonly group: string
  readonly label: string
  readonly hint: string
  readonly path: string
  readonly search: Record<string, string>
}

export interface Sought {
  /** Pattern of SQL's `like` for lower-case text that begins with the typed one. */
  readonly begins: string
  /** The organisation of an admin; null: all organisations, and hints name them. */
  readonly within: OrganisationId | null
  readonly most: number
}

/** Pages that modules find for a text that an admin or a superadmin has typed. */
export const pagesSought = hook<Sought, readonly FoundPage[]>('http.pagesSought', [], (first, second) => [
  ...first,
  ...second,
])
