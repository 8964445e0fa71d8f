import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../api/client.ts'
import { query } from '../api/queries.ts'
import { useMe } from '../session/me.ts'
import { isOfTraining } from '../navigation/context.ts'
import { type ChangeableSelection, useSelection } from '../navigation/useSelection.ts'
import { useOrganisations, useTrainings } from '../navigation/trainings.ts'
import { Missing } from '../ui/Missing.tsx'
import type { Screen } from './module.ts'
import { connectedScreens } from './modules.ts'

export function MissingChoice({ of: screen }: { of: Screen }) {
  const missing = useMissing(useSelection(), isOfTraining(connectedScreens(), screen))
  if (missing === null) return null
  return <Missing {...missing} />
}

interface MissingName {
  readonly text: string
  readonly actionLabel: string
  onAction(): void
}

/** Names that existed before. The screen that deletes such a training also reports the deletion. */
const seen = new Set<string>()
/** Names that were missing in a list. The message about a missing name remains during a refetch. */
const reported = new Set<string>()
/** Names that are missing in a list that was fetched again. The first list may have been older than the name. */
const rechecked = new Set<string>()

function useMissing(selection: ChangeableSelection, asks: boolean): MissingName | null {
  const { organization, training } = selection
  const { role } = useMe()
  const superadmin = role === 'superadmin'
  const customers = useOrganisations(asks && superadmin && organization !== null)
  const trainings = useTrainings(asks ? organization : null)
  const alone = useQuery({
    ...query(
      api.accessWindow.read,
      asks && superadmin && organization === null && training !== null ? { trainingName: training } : null,
    ),
    retry: false,
  })
  const customerMissing = useIsMissing(customers, asks ? organization : null, '')
  const trainingMissing = useIsMissing(trainings, asks ? training : null, organization)
  if (!asks) return null
  if (customerMissing) {
    return {
      text: `There is no customer ${organization}.`,
      actionLabel: 'Choose another customer',
      onAction: () => selection.chooseOrganization(null),
    }
  }
  const onAction = () => selection.chooseTraining(null)
  if (trainingMissing) {
    // A link in an e-mail or an LMS can lead a learner to this page before the machine has been ordered.
    const text =
      role === 'user'
        ? `You have no machine in ${training} yet. Ask your instructor, or come back later.`
        : `There is no lab module ${training} here.`
    return { text, actionLabel: 'Choose another lab module', onAction }
  }
  if (alone.error === null) return null
  return { text: alone.error.message, actionLabel: 'Choose another lab module', onAction }
}

interface Listed {
  readonly data: readonly string[] | undefined
  readonly isFetching: boolean
  refetch(): Promise<unknown>
}

function useIsMissing({ data, isFetching, refetch }: Listed, chosen: string | null, owner: string | null): boolean {
  const choice = chosen === null || data === undefined ? null : JSON.stringify([owner, chosen])
  const isListed = chosen !== null && data?.includes(chosen) === true
  useEffect(() => {
    if (choice === null || isListed || seen.has(choice)) return
    const recheck = () => {
      rechecked.add(choice)
      void refetch()
    }
    if (!rechecked.has(choice)) recheck()
    // A learner's machine can be ordered while the message is shown.
    const timer = setInterval(recheck, 5_000)
    return () => clearInterval(timer)
  }, [choice, isListed, refetch])
  if (choice === null) return false
  if (isListed) {
    seen.add(choice)
    reported.delete(choice)
  } else if (!isFetching && !seen.has(choice) && rechecked.has(choice)) reported.add(choice)
  return reported.has(choice)
}
