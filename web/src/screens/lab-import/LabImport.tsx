import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { LABS_PER_APPLY } from '@trainyard/contract/words/lab-import.ts'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { useAction } from '#src/api/useAction.ts'
import { useSelection } from '#src/navigation/useSelection.ts'
import { useMe } from '#src/session/me.ts'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Screen } from '#src/ui/Screen.tsx'
import { SelectCustomer } from '#src/ui/SelectTraining.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { Labs } from './Labs.tsx'
import { Readings } from './Readings.tsx'

const Connect = lazy(() => import('./Connect.tsx'))
const Upload = lazy(() => import('./Upload.tsx'))
const LabPlan = lazy(() => import('./LabPlan.tsx'))

/** Poll interval in ms while labs are being read. */
const REFRESH_MS = 1_500

export default function LabImport() {
  const { organization } = useSelection()
  const { role } = useMe()
  const of = organization === null ? null : role === 'superadmin' ? { organization } : {}
  const [open, setOpen] = useState<'connect' | 'upload' | { readonly lab: string } | null>(null)
  const found = useQuery({
    ...query(api.labImport.list, of),
    refetchInterval: ({ state: { data } }) => (data?.imports.some(({ isReading }) => isReading) ? REFRESH_MS : false),
  })
  const all = useAction((labs: readonly string[]) => applyAll(labs), { invalidates: ['labImport'] })
  if (of === null) {
    return (
      <Screen>
        <SelectCustomer />
      </Screen>
    )
  }
  const close = () => setOpen(null)
  return (
    <Screen>
      <p>
        Read the labs of Azure Lab Services, check what an import would do, and import as often as you like until the
        cut-over. Nothing is changed in Lab Services.
      </p>
      <div className="row">
        <Button onClick={() => setOpen('connect')}>Connect to Azure</Button>
        <Button variant="default" onClick={() => setOpen('upload')}>
          Upload Files
        </Button>
      </div>
      <Fetched query={found} loading={<Skeleton rows={3} height="3rem" />}>
        {({ imports, labs, templates }) => {
          const ready = labs.filter(({ movedAt, isMissing }) => movedAt === null && !isMissing)
          return (
            <>
              <Readings imports={imports} />
              <Labs
                labs={labs}
                open={(lab) => setOpen({ lab })}
                all={
                  <Button
                    variant="default"
                    disabled={ready.length === 0 || all.isPending}
                    onClick={() => all.mutate(ready.map(({ _id }) => _id))}
                  >
                    {all.isPending ? 'Importing...' : 'Import All'}
                  </Button>
                }
              />
              <Suspense>
                {typeof open === 'object' && open !== null && (
                  <LabPlan lab={open.lab} templates={templates.map(({ name }) => name)} close={close} />
                )}
              </Suspense>
            </>
          )
        }}
      </Fetched>
      <Suspense>
        {open === 'connect' && <Connect of={of} close={close} />}
        {open === 'upload' && <Upload of={of} close={close} />}
      </Suspense>
    </Screen>
  )
}

/** Imports all labs without overwriting anything that was edited here. */
async function applyAll(labs: readonly string[]): Promise<{ message: string }> {
  let reply = { message: 'There is no lab to import.' }
  for (let from = 0; from < labs.length; from += LABS_PER_APPLY) {
    const some = labs.slice(from, from + LABS_PER_APPLY)
    reply = await api.labImport.apply({ labs: some.map((lab) => ({ lab, ticked: [] })) })
  }
  return reply
}
