import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { useMe } from '#src/session/me.ts'
import { type ChangeableSelection, useSelection } from '#src/navigation/useSelection.ts'
import { useOrganisations, useTrainings } from '#src/navigation/trainings.ts'
import { Missing } from '#src/ui/Missing.tsx'
import { useRow } from '#src/ui/Screen.tsx'

/**
 * Tells above a screen that the address names a customer or a lab module that doesn't exist, with a way on. The screen
 * keeps its own sentence for data that it could not fetch.
 */
export function MissingChoice() {
  const row = useRow()
  const missing = useMissing(useSelection(), row?.menu?.group === 'Instance Overview')
  if (missing === null) return null
  return <Missing {...missing} />
}

interface MissingName {
  readonly text: string
  readonly way: string
  undo(): void
}

/** Choices that existed once: the screen that deletes one tells so itself. */
const seen = new Set<string>()
/** Choices that a list did not have: the message stays while the list is asked for again. */
const told = new Set<string>()

function useMissing(selection: ChangeableSelection, asks: boolean): MissingName | null {
  const { organization, training } = selection
  const superadmin = useMe().role === 'superadmin'
  const customers = useOrganisations(asks && superadmin && organization !== null)
  const trainings = useTrainings(asks ? organization : null)
  const alone = useQuery({
    ...query(
      api.accessWindow.read,
      asks && superadmin && organization === null && training !== null ? { trainingName: training } : null,
    ),
    retry: false,
  })
  if (!asks) return null
  if (isNew(customers, organization, '')) {
    return {
      text: `There is no customer ${organization}.`,
      way: 'Choose another customer',
      undo: () => selection.chooseOrganization(null),
    }
  }
  const undo = () => selection.chooseTraining(null)
  if (isNew(trainings, training, organization)) {
    return { text: `There is no lab module ${training} here.`, way: 'Choose another lab module', undo }
  }
  if (alone.error === null) return null
  return { text: alone.error.message, way: 'Choose another lab module', undo }
}

interface Listed {
  readonly data: readonly string[] | undefined
  readonly isFetching: boolean
}

/** Returns true for a choice that a fresh list does not have and never had. */
function isNew({ data, isFetching }: Listed, chosen: string | null, owner: string | null): boolean {
  if (chosen === null || data === undefined) return false
  const choice = JSON.stringify([owner, chosen])
  if (data.includes(chosen)) {
    seen.add(choice)
    told.delete(choice)
  } else if (!isFetching && !seen.has(choice)) told.add(choice)
  return told.has(choice)
}
