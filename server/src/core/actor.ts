import type { OrganisationId, UserId } from '@trainyard/contract/words/ids.ts'
import type { Role } from '@trainyard/contract/words/role.ts'

/** The person who makes a call. */
export interface Actor {
  readonly id: UserId
  readonly email: string
  readonly role: Role
  /** null for a superadmin or a sandbox user who belongs to none. */
  readonly organisation: {
    readonly id: OrganisationId
    readonly name: string
    readonly timeZone: string
    readonly logo: string | null
  } | null
}
