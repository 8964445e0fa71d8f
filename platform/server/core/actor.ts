import type { OrganisationId, UserId } from '../../contract/words/ids.ts'
import type { Role } from '../../contract/words/role.ts'

export interface Actor {
  readonly id: UserId
  readonly email: string
  readonly role: Role
  readonly organisation: {
    readonly id: OrganisationId
    readonly name: string
    readonly timeZone: string
    readonly logo: string | null
  } | null
}
