import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { Link } from '@tanstack/react-router'
import { lazy, useState, type ReactNode } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { home } from '../contract/home.ts'
import { machineRef } from '@trainyard/machines/contract/machine-ref.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { CopyButton } from '@trainyard/platform/web/ui/CopyButton.tsx'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { Rupees } from '@trainyard/platform/web/ui/Rupees.tsx'
import styles from './Attention.module.css'
import homeStyles from './Home.module.css'

const AddTransaction = lazy(() => import('@trainyard/ledger/web/AddTransaction.tsx'))

type Attention = ReplyOf<typeof home.attention>
type RowOf<K extends Exclude<keyof Attention, 'update'>> = { at: Attention[K]['first'][number] }

/** A reason for which machines fail, once for all of them. */
export function FailingRow({ at: { reason, refused, machines, first } }: RowOf<'failing'>) {
  const retryStart = useAction(
    () => api.machine.power([{ operation: 1 }, ...first.map(({ machine, group }) => machineRef(machine, group))]),
    { invalidates: ['home', 'machine'], refetchesOnFailure: true },
  )
  const [asks, setAsks] = useState(false)
  const [{ organization, training, machine }] = first as [(typeof first)[number]]
  const places = [...new Set(first.map((each) => `${each.training}, ${each.organization}`))]
  const name = machines === 1 ? machine : `${machines} machines`
  return (
    <Row
      name={name}
      mono={machines === 1}
      about={places.length > 2 ? `${places[0]} and ${places.length - 1} more trainings` : places.join(' and ')}
      reason={reason}
    >
      <Link
        to="/vm/vmdetails"
        search={{ organization, training, ...(machines === 1 && { find: machine }) }}
        className={styles.action}
        aria-label={`Open ${machines === 1 ? machine : training} in the console`}
      >
        Open in the console
      </Link>
      {refused ? (
        <button
          type="button"
          className={styles.action}
          aria-label={`Power On ${first.length === machines ? name : `${first.length} of ${machines} machines`}`}
          onClick={() => (machines === 1 ? !retryStart.isPending && retryStart.mutate() : setAsks(true))}
        >
          Power On{machines > 1 && ` ${first.length}`}
        </button>
      ) : (
        <span className="dim">Retried automatically.</span>
      )}
      {asks && (
        <ConfirmDialog
          title="Power On"
          confirm={`Power On ${countOf(first.length, 'machine')}`}
          onConfirm={() => {
            retryStart.mutate()
            setAsks(false)
          }}
          close={() => setAsks(false)}
        >
          <p>
            {countOf(first.length, 'machine')} of {places.join(', ')} {first.length === 1 ? 'is' : 'are'} tried again
            and then billed to {first.length === 1 ? 'its customer' : 'their customers'}.
          </p>
        </ConfirmDialog>
      )}
    </Row>
  )
}

export const UsedUpRow = ({ at: { organization, training, machine, reason } }: RowOf<'quotaUsedUp'>) => (
  <Row name={machine} mono about={`${training}, ${organization}`} reason={reason}>
    <Link
      to="/vm/quota"
      search={{ organization, training }}
      className={styles.action}
      aria-label={`Increase the quota of ${training}, for ${machine}`}
    >
      Increase the quota
    </Link>
  </Row>
)

export const UnpaidRow = ({ at: { organization, balancePaise } }: RowOf<'unpaid'>) => (
  <Row name={organization} about={<Rupees paise={balancePaise} />}>
    <OpenAccount organization={organization} />
    <DialogButton
      variant="default"
      size="xs"
      icon={IconPlus}
      dialog={(close) => <AddTransaction type="payment" organization={organization} close={close} />}
    >
      Record Payment
      <span className="visually-hidden"> of {organization}</span>
    </DialogButton>
  </Row>
)

export const UncreditedRow = ({ at: { organization, order, reason } }: RowOf<'uncredited'>) => (
  <Row name={organization} about={<span className="mono">{order}</span>} reason={reason}>
    <OpenAccount organization={organization} />
  </Row>
)

export const OrphanRow = ({ at: { group, name, since } }: RowOf<'orphans'>) => (
  <Row
    name={name}
    mono
    about={
      <>
        in {group}, since <Instant at={since} />. It carries the portal’s tag but is not in the portal’s records, and it
        costs money.
      </>
    }
  >
    <Link to="/ledger/costs" className={styles.action} aria-label={`Adopt or delete ${name} in Provider Costs`}>
      Adopt or delete it
    </Link>
    <CopyButton text={name} label={`Copy ${name}, to find it at the provider`} />
  </Row>
)

/** A background task of the portal, which only its operator can mend. */
export const TaskRow = ({ at: { name, reason, since } }: RowOf<'tasks'>) => (
  <Row
    name={name[0]!.toUpperCase() + name.slice(1)}
    about={
      <>
        Last run at <Instant at={since} />
      </>
    }
    reason={reason}
  >
    <span className="dim">Retried automatically.</span>
  </Row>
)

export const UpdateRow = ({ version, url }: { version: string; url: string }) => (
  <Row name={`Version ${version}`} about="is available.">
    <a href={url} target="_blank" rel="noreferrer" className={styles.action}>
      What is new
    </a>
  </Row>
)

const OpenAccount = ({ organization }: { organization: string }) => (
  <Link
    to="/ledger/account"
    search={{ organization }}
    className={styles.action}
    aria-label={`Open the account of ${organization}`}
  >
    Open the account
  </Link>
)

interface RowProps {
  name: string
  mono?: boolean
  about: ReactNode
  reason?: string | null
  children: ReactNode
}

const Row = ({ name, mono = false, about, reason = null, children }: RowProps) => (
  <li className={styles.problem}>
    <span className={styles.what}>
      <span className={mono ? `mono ${homeStyles.name}` : homeStyles.name}>{name}</span>
      <span className="dim">{about}</span>
    </span>
    {reason !== null && (
      <span className={styles.clamped} title={reason}>
        {reason}
      </span>
    )}
    <span className={styles.actions}>{children}</span>
  </li>
)
