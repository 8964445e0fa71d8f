import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { Machine } from '@trainyard/machines/contract/machine.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { WebAccessButton } from '@trainyard/machines/web/WebAccessButton.tsx'
import { useTrainings } from '@trainyard/platform/web/navigation/trainings.ts'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import { TryDemoClass } from './TryDemoClass.tsx'
import styles from '@trainyard/home/web/Home.module.css'

const NewCustomer = lazy(() => import('@trainyard/home/web/overview/NewCustomer.tsx'))

const REFRESH_MS = 15_000

type FirstStepsProps =
  | { viewer: 'superadmin'; customer: string | null }
  | { viewer: 'admin'; organization: string }
  | { viewer: 'user'; machine: Machine }

/** Checklist of a new installation, customer or learner. Absent once all steps are done. */
export default function FirstSteps(props: FirstStepsProps) {
  if (props.viewer === 'user') return <LearnerSteps machine={props.machine} />
  if (props.viewer === 'admin') return <AdminSteps organization={props.organization} />
  return <SuperadminSteps customer={props.customer} />
}

function SuperadminSteps({ customer }: { customer: string | null }) {
  const trainings = useTrainings(customer)
  // A customer that has ordered is set up.
  const isSetUp = customer !== null && trainings.data?.length !== 0
  const asks = { enabled: !isSetUp, refetchInterval: REFRESH_MS }
  const tries = useQuery({ ...query(api.setUp.read), ...asks })
  const supplier = useQuery({ ...query(api.supplier.read), ...asks })
  const users = useQuery({ ...query(api.user.list), ...asks })
  const assigned = useQuery({ ...query(api.template.assigned), ...asks })
  const settings = useQuery({
    ...query(api.organisation.settings, { organization: customer ?? '' }),
    ...asks,
    enabled: !isSetUp && customer !== null,
  })
  if (
    isSetUp ||
    !tries.data ||
    !supplier.data ||
    !users.data ||
    !assigned.data ||
    (customer !== null && !settings.data)
  )
    return null
  const ofCustomer = ({ organization }: { organization: string | null }) => organization === customer
  const whose = customer === null ? {} : { organization: customer }
  return (
    <Steps
      steps={[
        {
          id: 'connections',
          done: tries.data.connections?.answer != null && tries.data.mail?.answer?.accepted === true,
          step: <ScreenLink to="/admin/set-up">Try the providers and the mail server</ScreenLink>,
        },
        {
          id: 'supplier',
          done: supplier.data.problems.length === 0,
          step: <ScreenLink to="/admin/supplier">Fill in the supplier settings</ScreenLink>,
        },
        {
          id: 'customer',
          done: customer !== null,
          step: customer === null ? <FirstCustomer /> : 'Create the first customer',
        },
        {
          id: 'admin',
          done: users.data.users.some((user) => user.userType === 'admin' && ofCustomer(user)),
          step: (
            <ScreenLink to="/overview" hash="user">
              Invite the customer’s admin
            </ScreenLink>
          ),
        },
        {
          id: 'template',
          done: assigned.data.assigned.some(ofCustomer),
          step: (
            <ScreenLink to="/overview" hash="assigned">
              Assign a template to the customer
            </ScreenLink>
          ),
        },
        {
          id: 'credit',
          done: (settings.data?.creditLimit ?? 0) > 0,
          step: (
            <ScreenLink to="/admin/organisation" search={whose}>
              Set the customer’s credit limit
            </ScreenLink>
          ),
        },
      ]}
    >
      {customer !== null && <TryDemoClass organization={customer} />}
    </Steps>
  )
}

function FirstCustomer() {
  const [open, setOpen] = useState(false)
  const cards = useQuery(query(api.template.list))
  if (cards.data?.templates.length === 0)
    return (
      <ScreenLink to="/overview" hash="template">
        Create the first VM card, then the first customer
      </ScreenLink>
    )
  return (
    <>
      <TextButton onClick={() => setOpen(true)}>Create the first customer</TextButton>
      {open && (
        <Suspense>
          <NewCustomer close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function AdminSteps({ organization }: { organization: string }) {
  const templates = useQuery({ ...query(api.template.orderable, { organization }), refetchInterval: REFRESH_MS })
  if (!templates.data) return null
  return (
    <Steps
      steps={[
        {
          id: 'template',
          done: templates.data.templates.length > 0,
          step: 'Receive a template to order from. The operator of the portal assigns it.',
        },
        { id: 'order', done: false, step: <ScreenLink to="/createvm">Order the first machines</ScreenLink> },
      ]}
    >
      {templates.data.templates.length > 0 && <TryDemoClass organization={organization} />}
    </Steps>
  )
}

function LearnerSteps({ machine }: { machine: Machine }) {
  const { data } = useQuery({
    ...query(api.machine.operations, { vmName: machine.name }),
    refetchInterval: REFRESH_MS,
  })
  if (!data) return null
  // A step that is done stays done after a power off.
  const hasRun = machine.isRunning || machine.quota.consumed > 0 || data.openings.length > 0
  return (
    <Steps
      steps={[
        { id: 'run', done: hasRun, step: 'Power on your machine.' },
        {
          id: 'open',
          done: data.openings.length > 0,
          step: <WebAccessButton machine={machine} label="Open your machine" variant="default" />,
        },
      ]}
    />
  )
}

interface StepsProps {
  steps: readonly { readonly id: string; readonly done: boolean; readonly step: ReactNode }[]
  children?: ReactNode
}

function Steps({ steps, children }: StepsProps) {
  if (steps.every(({ done }) => done)) return null
  return (
    <section className="panel stack" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <ol className={styles.steps} aria-labelledby="first-steps">
        {steps.map(({ id, done, step }) => (
          <li key={id} data-done={done || undefined}>
            <span className={styles.mark} aria-hidden="true">
              {done && '✓'}
            </span>
            <span>
              {done && <span className="visually-hidden">Done: </span>}
              {step}
            </span>
          </li>
        ))}
      </ol>
      {children}
    </section>
  )
}
