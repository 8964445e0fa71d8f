import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import { DEFAULT_TIME_ZONE } from '@trainyard/platform/contract/words/limits.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { useOrganisations } from '@trainyard/platform/web/navigation/trainings.ts'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { FetchFailed } from '@trainyard/platform/web/ui/FetchFailed.tsx'
import { Lamp } from '@trainyard/platform/web/ui/Lamp.tsx'
import { ReasonButton } from '@trainyard/platform/web/ui/ReasonButton.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import type { setUp } from '../contract/set-up.ts'
import { Findings, hasProblem, isEmulated, isFor } from './Findings.tsx'
import styles from './PortalSetUp.module.css'

const SupplierFields = lazy(() =>
  import('@trainyard/invoices/web/Supplier.tsx').then((module) => ({ default: module.SupplierFields })),
)
const NewCustomer = lazy(() => import('@trainyard/home/web/overview/NewCustomer.tsx'))

type SetUp = ReplyOf<typeof setUp.read>

const POLL_MS = 1_000
const LOADING = <Skeleton rows={5} height="3rem" />

/** The browser remembers which steps were skipped: they change nothing in the portal. */
const SKIPPED = 'skippedSetUp'

interface Step {
  readonly id: string
  readonly title: string
  readonly isDone: boolean
  readonly content: ReactNode
  readonly action?: ReactNode
  /** Announced when it changes. */
  readonly answer?: ReactNode
}

/** Steps of a new portal after its first superadmin has signed in. */
export default function PortalSetUp() {
  const tries = useQuery({
    ...query(api.setUp.read),
    refetchInterval: ({ state: { data } }) =>
      [data?.connections, data?.mail].some((each) => each?.state === 'running') && POLL_MS,
  })
  const supplier = useQuery(query(api.supplier.read))
  const cards = useQuery(query(api.template.list))
  const customers = useOrganisations(true)
  const failed = [tries, supplier, cards, customers].find(({ isError }) => isError)
  return (
    <Screen title="Portal Set-up">
      <p className="dim">Skip what you do not have at hand. This page stays in Supplier Settings.</p>
      {tries.data && supplier.data && cards.data && customers.data ? (
        <Steps
          steps={stepsOf(tries.data, {
            isSupplierReady: supplier.data.problems.length === 0,
            hasCards: cards.data.templates.length > 0,
            customers: customers.data,
          })}
        />
      ) : failed ? (
        <FetchFailed text={failed.error!.message} error={failed.error} retry={() => void failed.refetch()} />
      ) : (
        LOADING
      )}
    </Screen>
  )
}

interface Known {
  readonly isSupplierReady: boolean
  readonly hasCards: boolean
  readonly customers: readonly string[]
}

function stepsOf({ connections, mail }: SetUp, { isSupplierReady, hasCards, customers }: Known): readonly Step[] {
  const checks = connections?.answer?.checks ?? []
  const areGreen = (of: 'portal' | 'provider') =>
    checks.length > 0 && !checks.filter(isFor(of)).some((check) => hasProblem(check) || isEmulated(check))
  return [
    {
      id: 'portal',
      title: 'Portal',
      isDone: areGreen('portal'),
      content: (
        <p>
          The name is Trainyard, with the logo of each customer. Customers start in the time zone {DEFAULT_TIME_ZONE};
          each can have its own in Organisation Settings. The address is the setting PUBLIC_URL.
        </p>
      ),
      action: <TryConnections connections={connections} />,
      answer: <ConnectionsAnswer connections={connections} of="portal" />,
    },
    { id: 'supplier', title: 'Supplier', isDone: isSupplierReady, content: <SupplierFields /> },
    {
      id: 'provider',
      title: 'Provider',
      isDone: areGreen('provider'),
      content: (
        <p>
          Providers are settings of the environment: trainyard.env next to compose.yaml, or values of the Helm chart.
          Restart the portal after a change, then try again.
        </p>
      ),
      action: <TryConnections connections={connections} />,
      answer: <ConnectionsAnswer connections={connections} of="provider" />,
    },
    {
      id: 'mail',
      title: 'Mail',
      isDone: mail?.answer?.accepted === true,
      content: <p>Mail needs the settings SMTP_URL and MAIL_FROM. The test e-mail goes to you.</p>,
      action: <TryMail mail={mail} />,
      answer: <MailAnswer mail={mail} connections={connections} />,
    },
    {
      id: 'customer',
      title: 'First customer',
      isDone: customers.length > 0,
      content: <FirstCustomer hasCards={hasCards} customers={customers} />,
      action: customers.length === 0 && hasCards && (
        <DialogButton icon={IconPlus} size="sm" dialog={(close) => <NewCustomer close={close} />}>
          Create the first customer
        </DialogButton>
      ),
    },
  ]
}

function Steps({ steps }: { steps: readonly Step[] }) {
  const [skipped, setSkipped] = useState(() => localStorage.getItem(SKIPPED)?.split(',') ?? [])
  const firstOf = (left: readonly string[]) => steps.find(({ id, isDone }) => !isDone && !left.includes(id))?.id ?? null
  // A step that becomes done stays open, so that its answer can be read.
  const [open, setOpen] = useState(() => firstOf(skipped))
  const list = useRef<HTMLOListElement>(null)
  const leave = (all: string[]) => {
    localStorage.setItem(SKIPPED, all.join(','))
    flushSync(() => {
      setSkipped(all)
      setOpen(firstOf(all))
    })
    // The button that had the focus is gone.
    const summary =
      list.current!.querySelector<HTMLElement>('[open] > summary') ?? list.current!.querySelector('summary')
    summary!.focus()
  }
  return (
    <ol ref={list} className={styles.steps} aria-label="Steps of the set-up">
      {steps.map(({ id, title, isDone, content, action, answer }) => {
        const isSkipped = !isDone && skipped.includes(id)
        return (
          <li key={id}>
            <details className="panel" open={open === id}>
              <summary
                className={styles.head}
                onClick={(event) => {
                  event.preventDefault()
                  setOpen(open === id ? null : id)
                }}
              >
                <h2>{title}</h2>
                <Lamp signal={isDone ? 'clear' : isSkipped ? 'gone' : 'still'}>
                  {isDone ? 'Done' : isSkipped ? 'Skipped' : 'Not yet'}
                </Lamp>
              </summary>
              {/* Always there: what was typed into a step stays when another one is opened. */}
              <div className={`stack ${styles.content}`}>
                <Suspense fallback={LOADING}>{content}</Suspense>
                <div className="row">
                  {action}
                  {isDone && firstOf(skipped) !== null && (
                    <Button variant="subtle" size="sm" onClick={() => leave(skipped)}>
                      Next
                    </Button>
                  )}
                  {!isDone && !isSkipped && (
                    <Button
                      variant="subtle"
                      size="sm"
                      aria-label={`Skip ${title}`}
                      onClick={() => leave([...skipped, id])}
                    >
                      Skip
                    </Button>
                  )}
                </div>
                <div aria-live="polite" className={`stack ${styles.answer}`}>
                  {answer}
                </div>
              </div>
            </details>
          </li>
        )
      })}
    </ol>
  )
}

const UNANSWERED = 'No worker answered within 3 minutes. Check that a worker is running, then try again.'

function TryConnections({ connections }: Pick<SetUp, 'connections'>) {
  const trying = useAction(api.setUp.tryConnections, { invalidates: ['setUp'] })
  const isRunning = trying.isPending || connections?.state === 'running'
  return (
    <ReasonButton may busy={isRunning} onClick={() => trying.mutate()}>
      {isRunning ? 'Trying...' : connections === null ? 'Try the connections' : 'Try again'}
    </ReasonButton>
  )
}

function ConnectionsAnswer({ connections, of }: Pick<SetUp, 'connections'> & { of: 'portal' | 'provider' }) {
  const checks = connections?.answer?.checks.filter(isFor(of)) ?? []
  return (
    <>
      {connections?.state === 'unanswered' && <p>{UNANSWERED}</p>}
      {checks.length > 0 && <Findings checks={checks} />}
    </>
  )
}

function TryMail({ mail }: Pick<SetUp, 'mail'>) {
  const trying = useAction(api.setUp.tryMail, { invalidates: ['setUp'] })
  const isRunning = trying.isPending || mail?.state === 'running'
  return (
    <ReasonButton may busy={isRunning} onClick={() => trying.mutate()}>
      {isRunning ? 'Sending...' : mail === null ? 'Send a test e-mail' : 'Send another test e-mail'}
    </ReasonButton>
  )
}

function MailAnswer({ mail, connections }: Pick<SetUp, 'mail' | 'connections'>) {
  const faults = connections?.answer?.checks.filter(isFor('mail')).filter(hasProblem) ?? []
  return (
    <>
      {mail?.state === 'unanswered' && <p>{UNANSWERED}</p>}
      {mail?.state === 'answered' && mail.answer && (
        <>
          <Lamp signal={mail.answer.accepted ? 'clear' : 'danger'}>{mail.answer.accepted ? 'Accepted' : 'Failed'}</Lamp>
          <p>{mail.answer.sentence}</p>
        </>
      )}
      {faults.length > 0 && <Findings checks={faults} />}
    </>
  )
}

function FirstCustomer({ hasCards, customers: [first, ...others] }: Pick<Known, 'hasCards' | 'customers'>) {
  if (first !== undefined)
    return (
      <p>
        <ScreenLink to="/overview">{others.length === 0 ? first : `${others.length + 1} customers`}</ScreenLink>
      </p>
    )
  return hasCards ? (
    <p>Creates the organisation, assigns VM cards to it and invites its first admin.</p>
  ) : (
    <p>
      A customer orders machines from VM cards.{' '}
      <ScreenLink to="/overview" hash="template">
        Create the first VM card
      </ScreenLink>
      , then return here.
    </p>
  )
}
