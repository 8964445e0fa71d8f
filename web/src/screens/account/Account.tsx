import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { useMe } from '#src/session/me.ts'
import { useSelection } from '#src/navigation/useSelection.ts'
import { SelectCustomer } from '#src/ui/SelectTraining.tsx'
import { DialogButton } from '#src/ui/DialogButton.tsx'
import { Fetched } from '#src/ui/Fetched.tsx'
import { preloadable } from '#src/ui/preloadable.ts'
import { ReasonButton } from '#src/ui/ReasonButton.tsx'
import { Screen } from '#src/ui/Screen.tsx'
import { ScreenLink } from '#src/ui/ScreenLink.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { Entries } from './Entries.tsx'
import { Figures } from './Figures.tsx'
import { Settling } from './Settling.tsx'
import { arrivalOf } from './unsettled.ts'
import { useAccount } from './useAccount.ts'
import { refetchPaid, usePayment } from './usePayment.ts'

const CorrectEntry = preloadable(() => import('./CorrectEntry.tsx'))
const Invoices = lazy(() => import('./Invoices.tsx'))
const Reminders = lazy(() => import('./Reminders.tsx'))
const Requests = lazy(() => import('./Requests.tsx'))
const Quotes = lazy(() => import('#src/money/quotes/Quotes.tsx'))
const Refunds = lazy(() => import('./Refunds.tsx'))
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
  const documents = useDocuments(organization, role === 'superadmin')
  return (
    <Screen
      actions={
        <>
          <ScreenLink to="/ledger/statement" search={{ organization }}>
            Statements
          </ScreenLink>
          {role === 'superadmin' && (
            <DialogButton
              variant="default"
              icon="pencil"
              load={CorrectEntry.load}
              dialog={(close) => <CorrectEntry organization={organization} close={close} />}
            >
              Correct an Entry
            </DialogButton>
          )}
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
              {documents && (
                <Suspense>
                  <Requests
                    organization={organization}
                    pay={(request, close) => (
                      <PayDialog
                        organization={organization}
                        balance={newest.legal.balance}
                        fixed={{
                          about: request.about,
                          amountPaise: request.amountPaise,
                          pays: { request: request.id },
                        }}
                        onOrdered={(order) => paying.open(order, newest)}
                        close={close}
                      />
                    )}
                  />
                  <Quotes
                    organization={organization}
                    pay={(proforma, amountPaise, close) => (
                      <PayDialog
                        organization={organization}
                        balance={newest.legal.balance}
                        fixed={{ about: `Proforma invoice ${proforma}`, amountPaise, pays: { proforma } }}
                        onOrdered={(order) => paying.open(order, newest)}
                        close={close}
                      />
                    )}
                  />
                  <Invoices organization={organization} />
                  <Reminders organization={organization} />
                  {role === 'superadmin' && <Refunds organization={organization} />}
                </Suspense>
              )}
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

/** True once all data below the entries has arrived, so that no section shifts under a click. */
function useDocuments(organization: string, refunds: boolean): boolean {
  const requested = [
    useQuery(query(api.payment.requests, { organization })),
    useQuery(query(api.invoice.list, { organization })),
    useQuery(query(api.reminder.list, { organization })),
    useQuery({ ...query(api.payment.refunds, { organization }), enabled: refunds }),
  ]
  return requested.every(({ isLoading }) => !isLoading)
}

const ToCustomers = () => (
  <p>
    <Link to="/ledger">Choose a customer in Billing History</Link>
  </p>
)
