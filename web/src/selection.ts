import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Chosen, type Scope, scopeOf } from './chosen.ts'
import { useMe } from './me.ts'

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
