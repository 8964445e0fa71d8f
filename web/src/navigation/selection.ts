import type { Role } from '@trainyard/contract/words/role.ts'

/** The choice in the sidebar, as the address has it; an empty name is none. */
export interface Choice {
  readonly organization?: string
  readonly training?: string
}

/** The chosen training, as calls take it: as their query, or as a part of their body. */
export interface OfTraining {
  readonly trainingName: string
  readonly organization?: string
}

/** The organisation and training that a choice means for the person signed in. */
export interface Selection {
  /** The chosen customer for a superadmin, one's own organisation for the others. */
  readonly organization: string | null
  readonly training: string | null
  /** null without a training. */
  readonly ofTraining: OfTraining | null
}

export function selectionOf(me: { readonly role: Role; readonly organization: string }, choice: Choice): Selection {
  const isSuperadmin = me.role === 'superadmin'
  const organization = isSuperadmin ? choice.organization || null : me.organization
  const training = choice.training || null
  return {
    organization,
    training,
    ofTraining: training
      ? {
          trainingName: training,
          ...(isSuperadmin && choice.organization ? { organization: choice.organization } : {}),
        }
      : null,
  }
}
