import type { Role } from '../../contract/words/role.ts'

/** The sidebar's choice as stored in the URL; an empty name means none. */
export interface Choice {
  readonly organization?: string
  readonly training?: string
}

export interface TrainingQuery {
  readonly trainingName: string
  readonly organization?: string
}

export interface Selection {
  /** Customer that a superadmin chose; for all other users, their own organisation. */
  readonly organization: string | null
  readonly training: string | null
  readonly trainingQuery: TrainingQuery | null
}

export function selectionOf(me: { readonly role: Role; readonly organization: string }, choice: Choice): Selection {
  const isSuperadmin = me.role === 'superadmin'
  const organization = isSuperadmin ? choice.organization || null : me.organization
  const training = choice.training || null
  return {
    organization,
    training,
    trainingQuery: training
      ? {
          trainingName: training,
          ...(isSuperadmin && choice.organization ? { organization: choice.organization } : {}),
        }
      : null,
  }
}
