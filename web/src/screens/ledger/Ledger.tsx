import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { DialogButton } from '#src/ui/DialogButton.tsx'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Screen } from '#src/ui/Screen.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { ClientLedger } from './ClientLedger.tsx'
import { Totals } from './Totals.tsx'

const load = () => import('#src/money/AddTransaction.tsx')
const AddTransaction = lazy(load)
const loadTds = () => import('./RecordTds.tsx')
const RecordTds = lazy(loadTds)
const loadExport = () => import('./ExportEntries.tsx')
const ExportEntries = lazy(loadExport)

/** Poll interval in ms: payments can arrive at any time. */
const REFRESH_MS = 30_000

export default function Ledger() {
  const summary = useQuery({ ...query(api.ledger.summary), refetchInterval: REFRESH_MS })
  return (
    <Screen
      actions={
        <>
          <DialogButton icon="plus" load={load} dialog={(close) => <AddTransaction type="invoice" close={close} />}>
            Add Invoice
          </DialogButton>
          <DialogButton
            variant="default"
            icon="plus"
            load={load}
            dialog={(close) => <AddTransaction type="payment" close={close} />}
          >
            Record Payment
          </DialogButton>
          <DialogButton variant="default" icon="plus" load={loadTds} dialog={(close) => <RecordTds close={close} />}>
            Record TDS
          </DialogButton>
          <DialogButton
            variant="default"
            icon="download"
            load={loadExport}
            dialog={(close) => <ExportEntries close={close} />}
          >
            Export for Bookkeeping
          </DialogButton>
        </>
      }
    >
      <Fetched
        query={summary}
        loading={
          <>
            <Skeleton rows={1} height="7rem" />
            <Skeleton rows={6} height="2rem" />
          </>
        }
      >
        {(data) => (
          <>
            <Totals summary={data} />
            <ClientLedger clients={data.ledger} />
          </>
        )}
      </Fetched>
    </Screen>
  )
}
