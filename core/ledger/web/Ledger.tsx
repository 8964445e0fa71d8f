import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { ClientLedger } from './ClientLedger.tsx'
import { ledgerActions, ledgerSections } from './slots.ts'
import { Totals } from './Totals.tsx'

const AddTransaction = lazy(() => import('./AddTransaction.tsx'))

/** Poll interval in ms: payments can arrive at any time. */
const REFRESH_MS = 30_000

export default function Ledger() {
  const summary = useQuery({ ...query(api.ledger.summary), refetchInterval: REFRESH_MS })
  return (
    <Screen
      actions={
        <>
          <DialogButton icon={IconPlus} dialog={(close) => <AddTransaction type="invoice" close={close} />}>
            Add Invoice
          </DialogButton>
          <DialogButton
            variant="default"
            icon={IconPlus}
            dialog={(close) => <AddTransaction type="payment" close={close} />}
          >
            Record Payment
          </DialogButton>
          <Fills of={ledgerActions} props={{}} />
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
            <Fills of={ledgerSections} props={{}} />
          </>
        )}
      </Fetched>
    </Screen>
  )
}
