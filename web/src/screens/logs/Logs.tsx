import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { useSelection } from '#src/navigation/useSelection.ts'
import { isClosed, Unfetched } from '#src/training/Unfetched.tsx'
import { SelectTraining } from '#src/ui/SelectTraining.tsx'
import { Screen } from '#src/ui/Screen.tsx'
import { chosenMachine } from './chosen.ts'
import { FindMachine } from './FindMachine.tsx'
import { RunTable } from './RunTable.tsx'

/** The interval, in ms: machines come and go meanwhile. */
const REFRESH_MS = 30_000

/** So many names in a list are found by looking. */
const SEEN_AT_ONCE = 12

/** Session Logs: the runs of a machine. The address names the machine, so that a link shows the same. */
export default function Logs() {
  const { ofTraining } = useSelection()
  const { vm } = useSearch({ strict: false }) as { vm?: string }
  const navigate = useNavigate()
  const names = useQuery({
    ...query(api.machine.names, ofTraining),
    refetchInterval: REFRESH_MS,
  })
  const { chosen, listed } = chosenMachine(names.data?.vmList ?? [], vm)
  const choose = (name: string) =>
    void navigate({ to: '.', search: (now: object) => ({ ...now, vm: name || undefined }) as never })
  const failed = ofTraining && names.isError && (
    <Unfetched of={ofTraining} error={names.error} retry={() => void names.refetch()} />
  )

  return (
    <Screen>
      {ofTraining === null ? (
        <SelectTraining />
      ) : isClosed(names.error) ? (
        failed
      ) : (
        <>
          {failed}
          {listed.length > SEEN_AT_ONCE && names.data && (
            <FindMachine names={names.data.vmList} learners={names.data.learners} choose={choose} />
          )}
          <NativeSelect
            label="Instance"
            w="24rem"
            maw="100%"
            value={chosen ?? ''}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            <option value="">
              {names.isPending
                ? 'Loading...'
                : listed.length === 0
                  ? 'No instances in this training'
                  : 'Select an instance'}
            </option>
            {listed.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </NativeSelect>
          {chosen !== null && <RunTable key={chosen} machine={chosen} choose={choose} />}
        </>
      )}
    </Screen>
  )
}
