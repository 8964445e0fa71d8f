import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { useMe } from '#src/session/me.ts'
import { type ChangeableSelection, useSelection } from '#src/navigation/useSelection.ts'
import { useOrganisations, useTrainings } from '#src/navigation/trainings.ts'
import { Missing } from '#src/ui/Missing.tsx'
import { useScreenRoute } from '#src/ui/Screen.tsx'

export function MissingChoice() {
  const row = useScreenRoute()
  const missing = useMissing(useSelection(), row?.menu?.group === 'Instance Overview')
  if (missing === null) return null
  return <Missing {...missing} />
}

interface MissingName {
  readonly text: string
  readonly actionLabel: string
  onAction(): void
}

/** Names that existed before: the screen that deletes one reports that itself. */
const seen = new Set<string>()
/** Names that were missing from a list: the message stays during a refetch. */
const reported = new Set<string>()

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
  if (isMissing(customers, organization, '')) {
    return {
      text: `There is no customer ${organization}.`,
      actionLabel: 'Choose another customer',
      onAction: () => selection.chooseOrganization(null),
    }
  }
  const onAction = () => selection.chooseTraining(null)
  if (isMissing(trainings, training, organization)) {
    return { text: `There is no lab module ${training} here.`, actionLabel: 'Choose another lab module', onAction }
  }
  if (alone.error === null) return null
  return { text: alone.error.message, actionLabel: 'Choose another lab module', onAction }
}

interface Listed {
  readonly data: readonly string[] | undefined
  readonly isFetching: boolean
}

function isMissing({ data, isFetching }: Listed, chosen: string | null, owner: string | null): boolean {
  if (chosen === null || data === undefined) return false
  const choice = JSON.stringify([owner, chosen])
  if (data.includes(chosen)) {
    seen.add(choice)
    reported.delete(choice)
  } else if (!isFetching && !seen.has(choice)) reported.add(choice)
  return reported.has(choice)
}
