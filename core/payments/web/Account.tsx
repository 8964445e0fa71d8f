import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { accountActions, accountSections } from '@trainyard/ledger/web/slots.ts'
import { Fills, useSections } from '@trainyard/platform/web/shell/Fills.tsx'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { SelectCustomer } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { ReasonButton } from '@trainyard/platform/web/ui/ReasonButton.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { Entries } from '@trainyard/ledger/web/Entries.tsx'
import { Figures } from '@trainyard/ledger/web/Figures.tsx'
import { Settling } from './Settling.tsx'
import { arrivalOf } from './unsettled.ts'
import { useAccount } from '@trainyard/ledger/web/useAccount.ts'
import { refetchPaid, usePayment } from './usePayment.ts'

const PayDialog = lazy(() => import('./PayDialog.tsx'))

export default function Account() {
  const { organization } = useSelection()
  return organization === null ? (
    <Screen>
      <SelectCustomer>
        <ToCustomers />
      </SelectCustomer>
    </Screen>
  ) : (
    <PrepaidAccountOwner key={organization} organization={organization} />
  )
}

function PrepaidAccountOwner({ organization }: { organization: string }) {
  const { role } = useMe()
  const [isDialogOpen, setDialogOpen] = useState(false)
  const paying = usePayment(organization)
  const { unsettled } = paying
  const account = useAccount((newest) => unsettled !== null && arrivalOf(unsettled, newest) === undefined)
  const newest = account.data?.pages[0]
  const arrival = unsettled && newest && arrivalOf(unsettled, newest)
  // A payment that arrives later changes what it pays for, such as a payment request or a proforma invoice.
  const arrived = arrival?.id
  useEffect(() => {
    if (arrived !== undefined) void refetchPaid()
  }, [arrived])
  const sections = useSections(accountSections, { organization })
  return (
    <Screen
      actions={
        <>
          <ScreenLink to="/ledger/statement" search={{ organization }}>
            Statements
          </ScreenLink>
          <Fills of={accountActions} props={{ organization }} />
          <ReasonButton
            may={
              role === 'superadmin'
                ? 'Superadmins cannot make payments.'
                : newest === undefined
                  ? 'The account has not loaded yet.'
                  : true
            }
            onClick={() => setDialogOpen(true)}
          >
            Make a Payment
          </ReasonButton>
        </>
      }
    >
      <Fetched
        query={account}
        loading={
          <>
            <Skeleton rows={1} height="7rem" />
            <Skeleton rows={6} height="2rem" />
          </>
        }
      >
        {({ pages }) =>
          newest && (
            <>
              <Settling verifying={paying.verifying} unsettled={unsettled} arrival={arrival} forget={paying.forget} />
              <Figures legal={newest.legal} />
              <Entries
                pages={pages}
                more={account.hasNextPage}
                fetching={account.isFetchingNextPage}
                fetchMore={() => void account.fetchNextPage()}
              />
              {sections({
                organization,
                pay: (fixed, close) => (
                  <PayDialog
                    organization={organization}
                    balance={newest.legal.balance}
                    fixed={fixed}
                    onOrdered={(order) => paying.open(order, newest)}
                    close={close}
                  />
                ),
              })}
              {isDialogOpen && (
                <Suspense>
                  <PayDialog
                    organization={organization}
                    balance={newest.legal.balance}
                    onOrdered={(order) => paying.open(order, newest)}
                    close={() => setDialogOpen(false)}
                  />
                </Suspense>
              )}
            </>
          )
        }
      </Fetched>
      {account.isError && role === 'superadmin' && <ToCustomers />}
    </Screen>
  )
}

const ToCustomers = () => (
  <p>
    <Link to="/ledger">Choose a customer in Billing History</Link>
  </p>
)
