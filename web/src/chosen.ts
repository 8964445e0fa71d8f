import type { Role } from '@trainyard/contract/words/role.ts'

/** What the address says was chosen in the sidebar. */
export interface Chosen {
  readonly organization?: string
  readonly training?: string
}

/** The training that is meant, as calls take it: as their query, or as a part of their body. */
export interface OfTraining {
  readonly trainingName: string
  readonly organization?: string
}

/** What a choice comes to for somebody. */
export interface Scope {
  /** Whose trainings are shown: the chosen customer for a superadmin, their own organisation for the others. */
  readonly organization: string | null
  readonly training: string | null
  /** null without a training. */
  readonly ofTraining: OfTraining | null
}

export function scopeOf(me: { readonly role: Role; readonly organization: string }, chosen: Chosen): Scope {
  const picks = me.role === 'superadmin'
  const organization = picks ? (chosen.organization ?? null) : me.organization
  const training = chosen.training ?? null
  return {
    organization,
    training,
    ofTraining: training
      ? { trainingName: training, ...(picks && chosen.organization ? { organization: chosen.organization } : {}) }
      : null,
  }
}
