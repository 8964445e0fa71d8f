import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { FetchFailed } from '#src/ui/FetchFailed.tsx'
import { Icon } from '#src/ui/Icon.tsx'
import { Screen } from '#src/ui/Screen.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { ClientLedger } from './ClientLedger.tsx'
import { Totals } from './Totals.tsx'
import type { TransactionType } from './transaction.ts'

const AddTransaction = lazy(() => import('./AddTransaction.tsx'))

/** The interval, in ms: payments arrive by themselves. */
const REFRESH_MS = 30_000

/** Billing History: invoices, payments and balances of all customers. */
export default function Ledger() {
  const [adding, setAdding] = useState<TransactionType | null>(null)
  const summary = useQuery({ ...query(api.ledger.summary), refetchInterval: REFRESH_MS })
  return (
    <Screen
      actions={
        <>
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding('invoice')}>
            Add Invoice
          </Button>
          <Button variant="default" leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding('payment')}>
            Record Payment
          </Button>
        </>
      }
    >
      {summary.data ? (
        <>
          <Totals summary={summary.data} />
          <ClientLedger clients={summary.data.ledger} />
        </>
      ) : summary.isError ? (
        <FetchFailed text={summary.error.message} retry={() => void summary.refetch()} />
      ) : (
        <>
          <Skeleton rows={1} height="7rem" />
          <Skeleton rows={6} height="2rem" />
        </>
      )}
      {adding && (
        <Suspense>
          <AddTransaction type={adding} close={() => setAdding(null)} />
        </Suspense>
      )}
    </Screen>
  )
}
