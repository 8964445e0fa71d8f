import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMe } from '../session/me.ts'
import { type Choice, type Selection, selectionOf } from './selection.ts'

export interface ChangeableSelection extends Selection {
  chooseOrganization(name: string | null): void
  chooseTraining(name: string | null): void
}

export const choiceOf = (search: Choice): Choice => ({ organization: search.organization, training: search.training })

/** Stored in the URL, so that a link shows the same selection. */
export function useSelection(): ChangeableSelection {
  const me = useMe()
  const search: Choice = useSearch({ strict: false })
  const navigate = useNavigate()
  const select = (choice: Choice) => void navigate({ to: '.', search: () => choice })
  return {
    ...selectionOf(me, search),
    chooseOrganization: (name) => select(name ? { organization: name } : {}),
    chooseTraining: (name) => select({ organization: search.organization, ...(name ? { training: name } : {}) }),
  }
}
