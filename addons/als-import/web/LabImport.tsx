import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { ImportedLab } from '../contract/lab-import.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { sentenceOf } from '@trainyard/platform/web/api/error.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { SelectCustomer } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { Labs } from './Labs.tsx'
import { Readings } from './Readings.tsx'
import styles from './LabImport.module.css'

const Connect = lazy(() => import('./Connect.tsx'))
const Upload = lazy(() => import('./Upload.tsx'))
const LabPlan = lazy(() => import('./LabPlan.tsx'))

/** Poll interval in ms while labs are being read. */
const REFRESH_MS = 1_500

export default function LabImport() {
  const { organization } = useSelection()
  const { role } = useMe()
  const organisationQuery = organization === null ? null : role === 'superadmin' ? { organization } : {}
  const [open, setOpen] = useState<'connect' | 'upload' | { readonly lab: string } | null>(null)
  const found = useQuery({
    ...query(api.labImport.list, organisationQuery),
    refetchInterval: ({ state: { data } }) => (data?.imports.some(({ isReading }) => isReading) ? REFRESH_MS : false),
  })
  const [position, setPosition] = useState(0)
  const [failed, setFailed] = useState<readonly Outcome[]>([])
  const all = useAction((labs: readonly ImportedLab[]) => importAll(labs, setPosition), {
    invalidates: ['labImport', 'training'],
    onDone: (done) => setFailed(done.failed),
  })
  if (organisationQuery === null) {
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
              {failed.length > 0 && (
                <section className="stack" role="alert" aria-labelledby="failed">
                  <h2 id="failed">Not imported</h2>
                  <ul className={styles.problems}>
                    {failed.map(({ title, problem }) => (
                      <li key={title}>
                        {title}: {problem}
                      </li>
                    ))}
                  </ul>
                </section>
              )}
              <Labs
                labs={labs}
                open={(lab) => setOpen({ lab })}
                all={
                  <Button
                    variant="default"
                    disabled={ready.length === 0 || all.isPending}
                    onClick={() => all.mutate(ready)}
                  >
                    {all.isPending ? `Importing ${position} of ${all.variables.length}...` : 'Import All'}
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
        {open === 'connect' && <Connect organisationQuery={organisationQuery} close={close} />}
        {open === 'upload' && <Upload organisationQuery={organisationQuery} close={close} />}
      </Suspense>
    </Screen>
  )
}

interface Outcome {
  readonly title: string
  /** Reason why the lab was not imported. */
  readonly problem: string
}

/**
 * Imports labs one after the other, without overwriting changes that users made in the portal. Each lab is a separate
 * call, so that the other labs are imported even if one fails.
 */
async function importAll(
  labs: readonly ImportedLab[],
  started: (number: number) => void,
): Promise<{ message: string; failed: readonly Outcome[] }> {
  const failed: Outcome[] = []
  for (const [index, { _id, title }] of labs.entries()) {
    started(index + 1)
    try {
      await api.labImport.apply({ labs: [{ lab: _id, ticked: [] }] })
    } catch (error) {
      failed.push({ title, problem: sentenceOf(error as Error, 'The lab could not be imported.') })
    }
  }
  const count = labs.length - failed.length
  return { message: `${count} of ${labs.length} labs imported or unchanged.`, failed }
}
