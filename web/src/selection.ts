import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Scope, scopeOf } from './chosen.ts'
import { useMe } from './me.ts'

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

export interface Selection extends Scope {
  chooseOrganization(name: string | null): void
  chooseTraining(name: string | null): void
}

/** Keeps only the sidebar's choice of an address's search: what every link carries along. */
export const chosenOf = (search: Chosen): Chosen => ({ organization: search.organization, training: search.training })

/** The customer and lab module chosen in the sidebar. They live in the address, so that a link says what it shows. */
export function useSelection(): Selection {
  const me = useMe()
  const search: Chosen = useSearch({ strict: false })
  const navigate = useNavigate()
  const go = (chosen: Chosen) => void navigate({ to: '.', search: () => chosen })
  return {
    ...scopeOf(me, search),
    chooseOrganization: (name) => go(name ? { organization: name } : {}),
    chooseTraining: (name) => go({ organization: search.organization, ...(name ? { training: name } : {}) }),
  }
}
