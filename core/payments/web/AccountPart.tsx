import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { accountActions, type Pay } from '@trainyard/ledger/web/slots.ts'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { SelectCustomer } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { ReasonButton } from '@trainyard/platform/web/ui/ReasonButton.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { useAccount } from '@trainyard/ledger/web/useAccount.ts'
import { Settling } from './Settling.tsx'
import { arrivalOf } from './unsettled.ts'
import { refetchPaid, usePayment } from './usePayment.ts'

const PayDialog = lazy(() => import('./PayDialog.tsx'))

interface AccountPartProps {
  children: (part: Part) => ReactNode
}

export interface Part {
  readonly organization: string
  readonly account: ReturnType<typeof useAccount>
  readonly pay: Pay
}

/** A tab of Account, which can start a payment. */
export function AccountPart({ children }: AccountPartProps) {
  const { organization } = useSelection()
  return organization === null ? (
    <Screen>
      <SelectCustomer>
        <ToCustomers />
      </SelectCustomer>
    </Screen>
  ) : (
    <OfOrganisation key={organization} organization={organization}>
      {children}
    </OfOrganisation>
  )
}

function OfOrganisation({ organization, children }: AccountPartProps & { organization: string }) {
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
  const dialog = (close: () => void, fixed?: Parameters<Pay>[0]) =>
    newest && (
      <PayDialog
        organization={organization}
        balance={newest.legal.balance}
        {...(fixed && { fixed })}
        onOrdered={(order) => paying.open(order, newest)}
        close={close}
      />
    )
  return (
    <Screen
      actions={
        <>
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
        {() => (
          <>
            <Settling verifying={paying.verifying} unsettled={unsettled} arrival={arrival} forget={paying.forget} />
            {children({ organization, account, pay: (fixed, close) => dialog(close, fixed) })}
            {isDialogOpen && <Suspense>{dialog(() => setDialogOpen(false))}</Suspense>}
          </>
        )}
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
