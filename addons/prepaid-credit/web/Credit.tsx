import IconPencil from '@tabler/icons-react/icons/IconPencil'
import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import { SelectCustomer } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { PrepaidAccount } from './PrepaidAccount.tsx'
import { Terms } from './Terms.tsx'
import { creditActions } from './slots.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'

const PrepaidAccountDialog = lazy(() => import('./PrepaidAccountDialog.tsx'))
const RecordPurchase = lazy(() => import('./RecordPurchase.tsx'))

/** Poll interval in ms: credit is used while machines run. */
const REFRESH_MS = 15_000

export default function Credit() {
  const { organization } = useSelection()
  const isSupplier = useMe().role === 'superadmin'
  const asked = organization === null ? null : { organization }
  const state = useQuery({ ...query(api.credit.read, asked), refetchInterval: REFRESH_MS })
  return (
    <Screen
      actions={
        asked !== null && (
          <>
            {!isSupplier && (
              <ScreenLink to="/ledger/account" search={asked}>
                Buy Credit in Account
              </ScreenLink>
            )}
            {state.data !== undefined && <Fills of={creditActions} props={{ state: state.data }} />}
            {isSupplier && state.data !== undefined && (
              <>
                <DialogButton
                  variant="default"
                  icon={IconPencil}
                  dialog={(close) => <PrepaidAccountDialog state={state.data} close={close} />}
                >
                  Set Up Credit
                </DialogButton>
                <DialogButton icon={IconPlus} dialog={(close) => <RecordPurchase state={state.data} close={close} />}>
                  Record Purchase
                </DialogButton>
              </>
            )}
          </>
        )
      }
    >
      {asked === null ? (
        <SelectCustomer />
      ) : (
        <Fetched query={state} loading={<Skeleton rows={2} height="12rem" />}>
          {(data) => (
            <>
              {data.accounts.length === 0 && (
                <section className="panel stack" aria-labelledby="none">
                  <h2 id="none">Prepaid Credit</h2>
                  <p>
                    {data.organization} has no prepaid credit. A payment that buys credit creates it, for all trainings
                    or for one training.
                  </p>
                </section>
              )}
              {data.accounts.map((account) => (
                <PrepaidAccount key={account.trainingName ?? ''} account={account} state={data} />
              ))}
              <Terms state={data} />
            </>
          )}
        </Fetched>
      )}
    </Screen>
  )
}
