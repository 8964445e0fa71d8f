import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import type { Adoptable } from './adoptable.ts'
import { Imports } from './Imports.tsx'
import { MonthOfCosts } from './MonthOfCosts.tsx'
import { Orphans } from './Orphans.tsx'
import { Unclaimed } from './Unclaimed.tsx'

const ImportBill = lazy(() => import('./ImportBill.tsx'))
const Adopt = lazy(() => import('./Adopt.tsx'))

export default function Costs() {
  const [asked, setAsked] = useState('')
  const [adopting, setAdopting] = useState<Adoptable | null>(null)
  const [importing, setImporting] = useState(false)
  const month = useQuery(query(api.cost.month, asked === '' ? {} : { month: asked }))
  return (
    <Screen>
      <div>
        <Button onClick={() => setImporting(true)}>Import a Bill</Button>
      </div>
      <Fetched query={month} loading={<Skeleton rows={3} height="5rem" />}>
        {(data) => <MonthOfCosts data={data} choose={setAsked} />}
      </Fetched>
      {month.data && month.data.month !== null && <Unclaimed month={month.data.month} adopt={setAdopting} />}
      <Orphans adopt={setAdopting} />
      <Imports />
      <Suspense>
        {importing && <ImportBill close={() => setImporting(false)} />}
        {adopting !== null && <Adopt what={adopting} close={() => setAdopting(null)} />}
      </Suspense>
    </Screen>
  )
}
